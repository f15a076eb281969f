import { example, type HelpPage, STORE_ENVIRONMENT, storeExits, TELLING_FILES } from './page.ts';

/** To be told, and to see that one will be. */
export const ALERT_PAGES: Readonly<Record<string, HelpPage>> = {
  work: {
    usage: 'work [--once]',
    about: [
      'Delivers alerts to the channels of the configuration as they come, every 5 s, looks each minute for runs that do not come and leases that are nearly over, settles each minute what expired claims left, and takes rows that are older than they are kept, until TERM, INT or HUP. Every other command does the same after its own work, for a moment; work is needed where commands run seldom, or where SQL alone is used. Several of them do no harm.',
      'A store that is away is asked again, after 1 s at first and after a minute at last, and the channels are told of it directly. An alert is sent until it is confirmed, for 24 hours; one that was given up is seen by doctor. Says on stdout what it did, and goes on where nobody reads that.',
    ],
    exitCodes: storeExits(
      ['0', 'ended by TERM, INT or HUP; --once: what was due was tried'],
      ['69', "--once: the store can't be reached"],
      ['78', 'the store, its schema or the configuration was refused'],
    ).filter(([code]) => code !== '74'),
    examples: [
      example('As a service, restarted by its manager', 'leasehold work'),
      example('From a crontab, where no service can be', '*/5 * * * *  leasehold work --once'),
      example('For a program, one object for each round that did something', 'leasehold work --json --once'),
    ],
    environment: STORE_ENVIRONMENT,
    files: TELLING_FILES,
    seeAlso: ['leasehold help alert test', 'leasehold help events', 'leasehold help doctor', 'docs/operations.md'],
  },
  'alert test': {
    usage: 'alert test CHANNEL',
    about: [
      'Sends a test alert through one channel of the configuration, whatever its "kinds" and "minSeverity" say, and says what came back within 10 s. No store is opened, nothing is recorded, and nothing is sent a second time.',
    ],
    exitCodes: storeExits(
      ['0', 'the channel confirmed it'],
      ['69', 'the channel did not confirm it'],
      ['74', 'what came back could not be written to stdout'],
      ['78', 'there is no such channel, or a mistake in the configuration'],
    ),
    examples: [
      example('After the channel was configured', 'leasehold alert test ops'),
      example('With the answer for a program', 'leasehold alert test ops --json'),
    ],
    environment: STORE_ENVIRONMENT.filter(([name]) => !/^(?:LEASEHOLD_STORE|PG\*)$/.test(name)),
    files: TELLING_FILES.filter(([path]) => path.endsWith('leasehold.json')),
    seeAlso: ['leasehold help work', 'leasehold help doctor', 'docs/operations.md'],
  },
};
