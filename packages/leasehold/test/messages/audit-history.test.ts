/** What the auditor says of histories, word for word: the finding, and what to do. */
import { describe } from 'node:test';
import { SAMPLES } from '../audit/history-samples.ts';
import { assertSaid, type Said } from './said.ts';

type Sample = keyof typeof SAMPLES;

const MESSAGES: readonly (readonly [Sample, string])[] = [
  ['observed', '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once.'],
  [
    'crashed',
    '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once. The end of a crashed run alone accounts for 1 of them, and that run may have ended earlier.',
  ],
  [
    'webhooks',
    '28 of 29 runs started while an earlier one was still running, 28 of the last 29; up to 2 ran at once. Events from outside started 28 of them, each with a record of its own.',
  ],
  [
    'slowest',
    'The slowest run took 1h 10m, more than 1h, the smallest gap between two starts, as its history shows it: the next start meets a run that is still going.',
  ],
  [
    'always',
    'The 95th percentile of 15 runs took 1h 10m, more than 1h, the smallest gap between two starts: the next start meets a run that is still going.',
  ],
  [
    'half',
    'The 95th percentile of 30 runs took 40m, over half of 1h, the smallest gap between two starts, as its history shows it: on a slow day the next start meets a run that is still going.',
  ],
  [
    'twice',
    '2 starts per slot in 30 of 30 slots (a slot every 1h, as its history shows it): one trigger fires more than once.',
  ],
  [
    'versions',
    '2 starts per slot in 30 of 30 slots (a slot every 1h, as its history shows it), of 2 versions of the workflow (v1, v2): one trigger fires more than once.',
  ],
  ['close', '2 starts within two seconds of each other, 1 time: one trigger fires more than once.'],
  [
    'inactive',
    'Inactive workflow still executing: it is marked inactive, yet its trigger started it 30 times, last at 2026-01-06T05:00:00Z.',
  ],
  [
    'stuck',
    'Open for much longer than any run takes: 1 run, the oldest (ghost, running) for 1d 5h; those that ended took 1m at the 95th percentile.',
  ],
  ['waiting', 'Open for much longer than any run takes: 2 runs, the oldest (a, waiting) for 1d 16h.'],
  ['missed', '3 slots of 30 had no start (a start every 1h was expected, as the others show).'],
  [
    'silent',
    '10 slots of 40 had no start (a start every 1h was expected, as the others show). Since 2026-01-06T05:00:00Z nothing started: 10 slots until the history ends.',
  ],
  ['notKept', '3 slots of 30 had no start. Its runs are not all kept, so some of these may have run.'],
  ['interval', '3 slots of 30 had no start (a start every 1h was expected).'],
  [
    'skipped',
    '1 slot without a start is explained by a change of clocks in Europe/Berlin at 2026-03-29T01:00:00Z (DST skip: the clocks went forward 1h, over the time that was planned).',
  ],
  [
    'repeated',
    '360 slots without a start are explained by a change of clocks in a zone such as Europe/Berlin (the zone is not known) at 2026-10-25T01:00:00Z (DST repeat: the clocks went back 1h, and the host waited for times that had been there already).',
  ],
  ['late', '1 start came so late that it fell into a later slot: a backlog, and no extra start.'],
  [
    'closed',
    '12 slots without a start come at the same hours or weekdays again and again: taken for times at which nothing is planned.',
  ],
  [
    'ended',
    'The history ends at 2026-01-06T05:00:00Z. If it was taken later than that, its trigger has stopped: by now 11 slots would have had no start.',
  ],
  [
    'drift',
    'Its starts keep to UTC: in Europe/Berlin they came at 10:00 before 2026-03-29T01:00:00Z, and at 11:00 after it.',
  ],
  [
    'clock',
    "4 of 4 runs have instants that can't be believed (an end before the start, a time in the future, or one that can't be read); they enter no figure.",
  ],
  [
    'offset',
    'Every start comes 2h after its planned instant, always by the same time: that is an offset, and no missed slot.',
  ],
  ['few', 'Only 1 run could be counted, so a 95th percentile says little.'],
  ['none', 'No run of it could be counted, so nothing is known of how long it takes.'],
  ['failures', 'The history holds failed runs only: those that went well were not kept.'],
  [
    'empty',
    'Runs end after 5ms: if the workflow starts work that it does not wait for, how long that takes and what it overlaps is not in its history.',
  ],
  ['n8n', '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once.'],
  ['make', '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once.'],
  ['zapier', '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once.'],
  ['cron', '1 of 30 runs started while an earlier one was still running, 1 of the last 30; up to 2 ran at once.'],
  ['noStart', 'Left out for want of a start: 1 run.'],
  [
    'clashing',
    '1 run had an id that another run with another start has too: exports of two installations seem to be mixed; audit them apart.',
  ],
];

const ADVICE: readonly (readonly [Sample, string])[] = [
  [
    'observed',
    'Let each start acquire a lock with a lease of 121m, and end at once where it is held (leasehold run NAME -- COMMAND, or the first step of the workflow). With a 121m lease and skip, these 30 starts would have been 29 runs, 1 skip, 0 overlaps.',
  ],
  [
    'crashed',
    'Let each start acquire a lock with a lease of 121m, and end at once where it is held (leasehold run NAME -- COMMAND, or the first step of the workflow). With a 121m lease and skip, these 30 starts would have been 28 runs, 2 skips, 0 overlaps.',
  ],
  [
    'webhooks',
    'Claim each record by its id before the work begins (leasehold claim POOL --ids ID) and stop where it is not yours: a lock would lose the records of the starts that it skips.',
  ],
  ['slowest', 'Start it every 2h or less often, or make each run smaller.'],
  [
    'always',
    'Start it every 3h or less often, or make each run smaller. Let each start acquire a lock with a lease of 140m, and end at once where it is held (leasehold run NAME -- COMMAND, or the first step of the workflow).',
  ],
  [
    'half',
    'Start it every 2h or less often, or make each run smaller. Let each start acquire a lock with a lease of 121m, and end at once where it is held (leasehold run NAME -- COMMAND, or the first step of the workflow).',
  ],
  [
    'twice',
    'Look for a second copy of the workflow, a second scheduler or worker process, and a schedule that stands twice; switch the workflow off, wait for one slot, and on again. Until then a lock per slot lets one of the starts through.',
  ],
  [
    'versions',
    'An old version is still scheduled beside the new one: switch the workflow off, restart the process that holds its triggers, and switch it on again. Until then a lock per slot lets one of the starts through.',
  ],
  [
    'inactive',
    'If it was switched off before that, an old trigger survives: restart the process that holds the triggers, and look whether the workflow starts once more.',
  ],
  [
    'stuck',
    'Look whether a process of it still lives. If none does, mark the run as failed where it is listed (what is held there for a person is released or discarded by one), find out which of its records were worked, and give its starts a lease: it ends by itself where a run that died leaves "running" for ever.',
  ],
  [
    'missed',
    'Find out what happened at these instants: the host was down, the trigger had died (switch the workflow off and on), or a run before it held everything up. Watch for it: leasehold run NAME --schedule CRON tells of slots that nothing started in.',
  ],
  [
    'skipped',
    'Plan the job in UTC, or at an hour that the clocks neither skip nor repeat; expect this twice a year otherwise.',
  ],
  ['late', 'See what held the starts up: a queue, a concurrency limit, or a run before them that took too long.'],
  ['closed', 'Where it is planned at these times, too, audit it with its definition or crontab, or say --every.'],
  ['ended', 'Audit a fresh export, or the running system itself.'],
  ['drift', 'If people expect it at one local time, plan it in their zone; if not, nothing is to be changed.'],
  [
    'clock',
    'Check the clocks of the hosts that wrote these rows (timedatectl, chronyc tracking), and the format of the times; name columns and zone with --map and --timezone.',
  ],
  [
    'offset',
    'Check in which zone the host reads the schedule, whether its clock is right, and whether these starts wait in a queue; where it is the zone, name it with --timezone.',
  ],
  ['few', 'Read the figures as a lower bound: what is not in the history can not be counted.'],
  [
    'failures',
    'Keep successful runs too (in n8n: workflow settings, Save successful production executions), and audit again after some days: overlap between runs that went well is invisible until then.',
  ],
  [
    'n8n',
    'Acquire a lock with a lease of 121m straight after the trigger (SQL in a Postgres node: docs/guides/sql.md#n8n), go on only where "proceed" is true, and release at the end of every path, the error path too. With a 121m lease and skip, these 30 starts would have been 29 runs, 1 skip, 0 overlaps.',
  ],
  [
    'make',
    'Make the first module after the trigger acquire a lock with a lease of 121m, go on only where "proceed" is true, and release it at the end and in the error handler. With a 121m lease and skip, these 30 starts would have been 29 runs, 1 skip, 0 overlaps.',
  ],
  [
    'zapier',
    'Make the first step after the trigger acquire a lock with a lease of 121m, and go on only where "proceed" is true; where the trigger brings the record, claim the record instead. With a 121m lease and skip, these 30 starts would have been 29 runs, 1 skip, 0 overlaps.',
  ],
  [
    'cron',
    'Start it by leasehold run NAME --lease 105m -- COMMAND. With a 105m lease and skip, these 30 starts would have been 29 runs, 1 skip, 0 overlaps.',
  ],
];

const said = (sample: Sample, of: 'message' | 'advice'): (() => unknown) => {
  const say = SAMPLES[sample];
  return () => say?.()[of];
};

describe('what is found in a history', () => {
  assertSaid(MESSAGES.map(([sample, sentence]): Said => [said(sample, 'message'), sentence]));
});

describe('what to do about it', () => {
  assertSaid(ADVICE.map(([sample, sentence]): Said => [said(sample, 'advice'), sentence]));
});
