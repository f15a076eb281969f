/** Records from any shell, on the embedded store. */
import { after, describe } from 'node:test';
import { openBench } from '../command-line.ts';
import { describePools } from './pools.ts';
import { describeProtocol } from './protocol.ts';

describe('records on SQLite', () => {
  const bench = openBench();
  after(() => bench[Symbol.asyncDispose]());
  describeProtocol(() => bench);
  describePools(() => bench);
});
