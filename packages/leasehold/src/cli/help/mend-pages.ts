import { example, type HelpPage, STORE_ENVIRONMENT, STORE_FILES, storeExits } from './page.ts';

/** Where all of these write. */
const STORE = { environment: STORE_ENVIRONMENT, files: STORE_FILES };

/** To stop, free and install; and to see it work. */
export const MEND_PAGES: Readonly<Record<string, HelpPage>> = {
  pause: {
    usage: 'pause NAME|--pool POOL [--reason TEXT]',
    about: [
      'Stops new starts of a lock, also of one that no start has touched: they are skipped with exit 75. A run under way goes on, and may renew and release. May be repeated, and is an event.',
      'A pool gives no record out while it is paused: claims own nothing, exit 0. What is claimed goes on.',
    ],
    exitCodes: storeExits(['0', 'paused, also where it was before']),
    examples: [
      example('While the database is moved', "leasehold pause invoices --reason 'database moves, ticket 17'"),
      example('No new claims', "leasehold pause --pool orders --reason 'their API is down'"),
      example('On another store than the usual one', 'leasehold pause invoices --store postgres://jobs@db/jobs'),
    ],
    ...STORE,
    seeAlso: ['leasehold help resume', 'leasehold help status', 'docs/cli.md'],
  },
  resume: {
    usage: 'resume NAME|--pool POOL',
    about: [
      'Lets starts of a paused lock, or claims of a paused pool, in again. What was skipped meanwhile is not made up for, but the next run that has a schedule is handed the slots it missed. May be repeated, and is an event.',
    ],
    exitCodes: storeExits(['0', 'starts are let in, also where they were before']),
    examples: [
      example('Let starts in', 'leasehold resume invoices'),
      example('Let claims in', 'leasehold resume --pool orders'),
      example('With the answer for a program', 'leasehold resume invoices --json'),
    ],
    ...STORE,
    seeAlso: ['leasehold help pause', 'leasehold help status', 'docs/cli.md'],
  },
  'force-release': {
    usage: 'force-release NAME --reason TEXT [--now]',
    about: [
      'Takes a lock from its holder. By default it drains: the holder is told at its next renewal and has its grace to stop, and the lock is free then, or when the holder releases it, or when its lease ends, whichever is first. --now frees it at once, although its run may still be at work.',
      'A lock that is cooling has no holder, and its pause ends at once. Either way the next start is reclaimed, and the reason is kept with the event.',
    ],
    exitCodes: storeExits(['0', 'draining or released, also where the lock was free']),
    examples: [
      example(
        'Ask a run that hangs to stop',
        "leasehold force-release hourly-enrich --reason 'hangs since the update'",
      ),
      example('The old run is surely over', "leasehold force-release hourly-enrich --now --reason 'its host is gone'"),
    ],
    ...STORE,
    seeAlso: ['leasehold help status', 'leasehold help why', 'leasehold help pause', 'docs/cli.md'],
  },
  migrate: {
    usage: 'migrate [--print] [--grant ROLE]',
    about: [
      'Installs or updates the schema of the store. The embedded store does so by itself. On PostgreSQL the owner of the schema runs it once for each release; the role that runs jobs needs no more than --grant gives it. May be repeated, and by several at once.',
    ],
    exitCodes: storeExits(),
    examples: [
      example(
        'As the owner, and let the role of the jobs use it',
        'leasehold migrate --store postgres://owner@db/jobs --grant jobs',
      ),
      example('For a database that only a person may change', 'leasehold migrate --print > leasehold.sql'),
    ],
    ...STORE,
    seeAlso: ['leasehold help doctor', 'docs/sql-api.md', 'docs/cli.md'],
  },
  demo: {
    usage: 'demo',
    about: [
      'A job that takes 3.5 s is started every second: first by itself, then under leasehold run, then under a run that is killed half-way. Its effects are counted by an HTTP server on 127.0.0.1. Real processes in a temporary folder, which is removed.',
    ],
    exitCodes: [
      ['0', 'everything it says held'],
      ['1', 'something did not hold'],
      ['64', 'the command line is wrong'],
      ['70', 'a fault of Leasehold itself'],
      ['128 + n', 'ended by signal n'],
    ],
    examples: [example('See it work', 'leasehold demo')],
    environment: [],
    files: [],
    seeAlso: ['leasehold help run', 'docs/guarantees.md'],
  },
};
