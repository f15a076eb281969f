/**
 * Plays sequences about records on an embedded store that lacks the guard which LEASEHOLD_EDITS takes out, once for each
 * judge that is named, and prints what they found: run by describe-record-controls.ts.
 */
import { sqliteSubjects } from '../sqlite-subjects.ts';
import { findRecordFault } from './find-record-fault.ts';
import type { RecordJudge } from './record-play.ts';

for (const judge of process.argv.slice(2) as RecordJudge[]) {
  const fault = await findRecordFault(sqliteSubjects(), judge);
  process.stdout.write(`${judge}: ${fault ?? 'nothing'}\n`);
}
