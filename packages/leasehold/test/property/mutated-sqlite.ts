/**
 * Plays sequences on an embedded store that lacks the guard which LEASEHOLD_EDITS takes out, once for each judge that
 * is named, and prints what they found: run by negative-controls.test.ts.
 */
import { findFault } from './find-fault.ts';
import type { Judge } from './play.ts';
import { sqliteSubjects } from './sqlite-subjects.ts';

const [oddClocks, ...judges] = process.argv.slice(2);

for (const judge of judges as Judge[]) {
  const fault = await findFault(sqliteSubjects(), judge, oddClocks === 'odd');
  process.stdout.write(`${judge}: ${fault ?? 'nothing'}\n`);
}
