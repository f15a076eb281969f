/** Records from any shell, on the embedded store. */
import { after, describe } from 'node:test';
import { openInProcess } from './in-process.ts';
import { describePools } from './pools.ts';
import { describeProtocol } from './protocol.ts';

describe('records on SQLite', () => {
  const lines = openInProcess();
  after(() => lines[Symbol.dispose]());
  describeProtocol(() => lines);
  describePools(() => lines);
});
