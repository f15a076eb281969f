import { asOption, besides, leaseWords } from '../../advice/advice.ts';
import { counted } from '../../words.ts';
import type { RuleContext } from '../rule.ts';

export const CLAIM_EACH =
  'Claim each record by its id before the work begins (leasehold claim POOL --ids ID) and stop where it is not yours: a lock would lose the records of the starts that it skips.';

/** How a start of this workflow gets a lock, where it runs; and what that would have made of its history. */
export function takeALock(context: RuleContext): string {
  if (context.subject.definition?.bringsRecords === true) return CLAIM_EACH;
  const { leaseMs } = context.advice;
  const platform = context.subject.definition?.platform ?? 'unknown';
  const how =
    platform === 'cron'
      ? `Start it by leasehold run NAME${leaseMs === null ? '' : ` --lease ${asOption(leaseMs)}`} -- COMMAND.`
      : HOW[platform](leaseMs === null ? '' : ` with a lease of ${leaseWords(leaseMs)}${besides(context.advice)}`);
  return `${how}${replayed(context)}`;
}

const HOW: Readonly<Record<'n8n' | 'make' | 'zapier' | 'unknown', (lease: string) => string>> = {
  n8n: (lease) =>
    `Acquire a lock${lease} straight after the trigger (SQL in a Postgres node: docs/guides/sql.md#n8n), go on only where "proceed" is true, and release at the end of every path, the error path too.`,
  make: (lease) =>
    `Make the first module after the trigger acquire a lock${lease}, go on only where "proceed" is true, and release it at the end and in the error handler.`,
  zapier: (lease) =>
    `Make the first step after the trigger acquire a lock${lease}, and go on only where "proceed" is true; where the trigger brings the record, claim the record instead.`,
  unknown: (lease) =>
    `Let each start acquire a lock${lease}, and end at once where it is held (leasehold run NAME -- COMMAND, or the first step of the workflow).`,
};

function replayed({ replayed: played, advice }: RuleContext): string {
  if (played === null || advice.leaseMs === null || played.skips === 0) return '';
  const { starts, runs, skips, overlaps } = played;
  return ` With a ${leaseWords(advice.leaseMs)} lease and skip, these ${counted(starts, 'start')} would have been ${counted(runs, 'run')}, ${counted(skips, 'skip')}, ${counted(overlaps, 'overlap')}.`;
}
