import { example, type HelpPage, STORE_ENVIRONMENT, STORE_FILES, storeExits } from './page.ts';

/** Where all of these read. */
const STORE = { environment: STORE_ENVIRONMENT, files: STORE_FILES };

/** To see what happened and why. None of these writes. */
export const LOOK_PAGES: Readonly<Record<string, HelpPage>> = {
  status: {
    usage: 'status [NAME]',
    about: [
      'Lists locks by name, at most 1,000: state, holder, age, what is left of the lease, skips in a row, last success. Then pools: what they hold, what they are set to, and who works them; also where two workflows work one pool, or one works two. What no start and no record has touched is no row and no error: said on stderr.',
      'States: free; cooling (released with --after, which is not over); held; draining (force-released, its holder has not stopped yet); stale (the lease ended without a release; the next start reclaims it, unless it holds: --on-stale hold).',
    ],
    exitCodes: storeExits(),
    examples: [
      example('All locks', 'leasehold status'),
      example('The names of stale ones', `leasehold status --json | jq -r 'select(.state == "stale") | .lock'`),
    ],
    ...STORE,
    seeAlso: ['leasehold help why', 'leasehold help runs', 'leasehold help doctor', 'docs/cli.md'],
  },
  runs: {
    usage: 'runs [NAME] [--limit N]',
    about: [
      'Lists the attempts to start, newest first, whatever came of them: also those that were skipped. A start that ran the command has the outcome acquired, reclaimed or bypassed.',
    ],
    exitCodes: storeExits(),
    examples: [
      example('The newest 20 of one lock', 'leasehold runs nightly --limit 20'),
      example(
        'What was skipped, and why',
        `leasehold runs --json | jq -r 'select(.outcome == "skipped") | [.startedAt, .lock, .reason] | @tsv'`,
      ),
    ],
    ...STORE,
    seeAlso: ['leasehold help events', 'leasehold help why', 'docs/cli.md'],
  },
  events: {
    usage: 'events [--lock NAME] [--pool POOL] [--kind KIND] [--limit N]',
    about: [
      'Lists what happened beside the runs, newest first: skips, reclaims, losses, refusals, forced releases, pauses, clock faults, requeues, reviews, verdicts that were refused or kept as evidence. Each has a severity: info, warning or critical.',
    ],
    exitCodes: storeExits(),
    examples: [
      example('What was skipped lately', 'leasehold events --kind run.skipped --limit 20'),
      example('Everything about one lock, for a program', 'leasehold events --lock nightly --json'),
      example('What went back to the queue of a pool', 'leasehold events --pool orders --kind record.requeued'),
    ],
    ...STORE,
    seeAlso: ['leasehold help runs', 'leasehold help why', 'docs/cli.md'],
  },
  why: {
    usage: 'why NAME [--at ISO]',
    about: [
      'Says in one sentence, from the record, why a run did or did not start: with --at of the latest start at or before that instant, among the newest 1,000 of the lock; without it whether a start would proceed now, and what became of the latest one. It does not know of slots to come, and asks no holder whether it is alive, as a start does.',
    ],
    exitCodes: storeExits(),
    examples: [
      example('Now', 'leasehold why nightly'),
      example('This morning', 'leasehold why nightly --at 2026-11-30T06:00:00+01:00'),
    ],
    ...STORE,
    seeAlso: ['leasehold help status', 'leasehold help runs', 'docs/cli.md'],
  },
  advise: {
    usage: 'advise NAME|--pool POOL [options]',
    about: [
      'Says how long the lease should be, from the newest 1,000 starts that ran and ended: the largest of twice the 95th percentile of the slowest day, one and a half times the slowest run and, where renewal is by touch and the 95th percentile exceeds a tenth of the smallest gap of the schedule, two gaps plus a minute. With no history: two gaps plus a minute.',
      'Of a pool: how long a claim should last, twice the slowest time from claim to verdict, and how many records fit into one.',
      'Warns where the latest lease is below the slowest run, was used up to 50 % or 80 % by it, or would block for hours after a crash.',
    ],
    exitCodes: storeExits(),
    examples: [
      example('From what runs took', 'leasehold advise nightly'),
      example('From what records took', 'leasehold advise --pool orders'),
      example(
        'For steps of SQL that renew when they are called',
        `leasehold advise sync --schedule '*/5 * * * *' --renewal touch`,
      ),
    ],
    ...STORE,
    seeAlso: ['leasehold help run', 'leasehold help doctor', 'docs/cli.md'],
  },
  doctor: {
    usage: 'doctor',
    about: [
      'Looks at the host, the configuration, the store, the locks, the pools and the alerts, and says one line a check: ok, warning (it works, and will hurt some day), problem (it does not work, or not as promised) or unknown (it could not be looked at), with what was seen and what to do. Writes nothing, and makes no store that is not there.',
      'Run it as the user whose jobs it is about and in their environment, from cron for one: which store is used is half of what it looks at.',
    ],
    exitCodes: storeExits(
      ['0', 'nothing is a problem; warnings there may be'],
      ['69', "the store can't be reached; the checks that do not need it were made"],
      ['78', 'something is a problem'],
    ),
    examples: [
      example('Here and now', 'leasehold doctor'),
      example('What is not ok, for a program', `leasehold doctor --json | jq -r 'select(.result != "ok") | .message'`),
      example('As the jobs of another user see it', 'sudo -u jobs -i leasehold doctor'),
    ],
    ...STORE,
    seeAlso: ['leasehold help status', 'leasehold help advise', 'leasehold help migrate', 'docs/cli.md'],
  },
};
