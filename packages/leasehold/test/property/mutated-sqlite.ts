/**
 * Plays sequences on an embedded store that lacks the guard which LEASEHOLD_EDITS takes out, once with each judge, and
 * prints what they found: run by negative-controls.test.ts.
 */
import { findFault } from './find-fault.ts';
import type { Judge } from './play.ts';
import { sqliteSubjects } from './sqlite-subjects.ts';

const JUDGES: readonly Judge[] = ['model', 'invariants'];

for (const judge of JUDGES) {
  const fault = await findFault(sqliteSubjects(), judge, 2_000, process.env['LEASEHOLD_ODD_CLOCKS'] === '1');
  process.stdout.write(`${judge}: ${fault ?? 'nothing'}\n`);
}
