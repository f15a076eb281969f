import { example, type HelpPage, STORE_ENVIRONMENT, storeExits, TELLING_FILES } from './page.ts';

export const RUN_PAGE: HelpPage = {
  usage: 'run NAME [options] -- CMD [ARG…]',
  about: [
    'Acquires the lock, runs the command, renews the lease while it runs, and releases the lock on every path: with status success if the command ended with 0, else with failure. While another run holds the lock nothing is started; one line on stderr says who holds it and for how long.',
    'If the wrapper is killed or its host dies, the lease ends by itself and the next start takes the lock over and says so. When the lease is lost, the command is stopped with all of its session: TERM, then KILL. There is no shell in between; a pipeline needs one: -- sh -c "a | b".',
  ],
  exitCodes: storeExits(
    ['0', "the command's own code, whatever it is, where it was run"],
    ['69', "the store can't be reached, timed out, is read-only or full; nothing was started"],
    ['74', 'the answer to a start that was refused could not be written to stdout'],
    ['75', 'skipped: nothing was started (or what --skip-exit-code says)'],
    ['76', 'this slot has run to success already: nothing was started'],
    ['77', 'the lease was lost and the command was stopped'],
    ['126', "the command can't be executed; its lock was released"],
    ['127', 'the command was not found; its lock was released'],
    ['128 + n', 'the command, or the start itself, was ended by signal n'],
  ),
  examples: [
    example(
      'Every five minutes, never beside itself; a skip is no failure',
      '*/5 * * * *  leasehold run sync -- ./sync.sh || [ $? -eq 75 ]',
    ),
    example(
      'On several hosts, each slot once, whoever comes first',
      `leasehold run invoices --store postgres://jobs@db/jobs --schedule '0 6 * * *' --timezone Europe/Berlin -- ./invoices`,
    ),
    example(
      'Wait for the run before, but not for ever',
      'leasehold run deploy --on-busy wait --wait 10m -- ./deploy.sh',
    ),
    example(
      'Through a database restart, and give a job up that has hung for half an hour',
      'leasehold run report --store-wait 60s --stall 30m --report /var/log/report.ndjson -- ./report.sh',
    ),
  ],
  environment: [
    ...STORE_ENVIRONMENT,
    ['TZ', 'the zone of --schedule, where --timezone is not given'],
    ['LEASEHOLD_STORE, _LOCK, _RUN_ID', 'given to the command: the store, the lock, the id of this run'],
    ['LEASEHOLD_TOKEN, _FENCE', 'given to the command, except under --bypass'],
    ['LEASEHOLD_SLOT, _MISSED', 'given to the command: its slot, and a JSON list of the slots missed'],
  ],
  files: TELLING_FILES,
  seeAlso: [
    'leasehold help acquire',
    'leasehold help why',
    'leasehold help advise',
    'docs/cli.md',
    'docs/guides/cron.md',
  ],
};
