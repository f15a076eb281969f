import { example, type HelpPage, STORE_ENVIRONMENT, STORE_FILES, storeExits } from './page.ts';

const STORE = { environment: STORE_ENVIRONMENT, files: STORE_FILES };

/** To see pools and their records, and to mend them. */
export const POOL_PAGES: Readonly<Record<string, HelpPage>> = {
  pool: {
    usage: 'pool POOL [options]',
    about: [
      'Shows what a pool is set to, what it holds and who works it. With options it changes what they name, and makes the pool where there is none; each change is an event.',
      '--redo says what happens to work that was begun and whose outcome nobody knows: ask (default) has the provider asked by the verifier, and without one goes to review; safe does it again, where that is harmless or the provider recognises the effect key, for ever or for --redo-window.',
    ],
    exitCodes: storeExits(['0', 'shown or changed; a pool that nothing has touched is no error']),
    examples: [
      example('What it is set to', 'leasehold pool orders'),
      example('The provider deduplicates for a day', 'leasehold pool orders --redo safe --redo-window 24h'),
      example('One call may take 30 s', "leasehold pool orders --call-timeout 30s --reason 'as their API says'"),
    ],
    ...STORE,
    seeAlso: ['leasehold help status', 'leasehold help advise', 'leasehold help pause', 'docs/cli.md'],
  },
  records: {
    usage: 'records POOL [options]',
    about: [
      'Lists the records of a pool by id and version, a page at a time; without --json it says how to go on. No payload and no token is shown.',
    ],
    exitCodes: storeExits(),
    examples: [
      example('Where one record stands', 'leasehold records orders --id 4711'),
      example(
        'What has failed for good, for a program',
        `leasehold records orders --state failed --json | jq -r '.id + " " + .error'`,
      ),
    ],
    ...STORE,
    seeAlso: ['leasehold help review', 'leasehold help pool', 'docs/cli.md'],
  },
  review: {
    usage: 'review POOL [ID ask|done|requeue|fail --reason TEXT] [options]',
    about: [
      'Lists the records that need a person, or decides about one: ask (the next sweep asks the provider again), done (the effect happened), requeue (it did not: work it again), fail (leave it). done and requeue also mend one that failed. Each decision is an event with its reason.',
      'Look at the provider first: a requeue of work that was done does it twice.',
    ],
    exitCodes: storeExits(
      ['0', 'listed or decided'],
      ['77', 'not decided: there is no such record, or this can not be done to it'],
    ),
    examples: [
      example('What needs a person', 'leasehold review orders'),
      example(
        'The provider has it',
        "leasehold review orders 4711 done --provider-ref re_8Xk2 --reason 'seen in their console'",
      ),
      example('The provider never had it', "leasehold review orders 4712 requeue --reason 'not in their log'"),
    ],
    ...STORE,
    seeAlso: ['leasehold help records', 'leasehold help events', 'docs/cli.md'],
  },
  sweep: {
    usage: 'sweep [POOL]',
    about: [
      'Settles what expired claims left, in one pool or in all: what was never begun is queued again, what was begun in a pool that may redo it too, and what nobody can ask for goes to review. Every claim does the same in its own pool, and work does it each minute.',
      'What only a provider can answer waits for a sweep of the library with a verifier, for 24 h at most; here it is counted.',
    ],
    exitCodes: storeExits(['0', 'settled, also where there was nothing']),
    examples: [
      example('Every pool', 'leasehold sweep'),
      example('One of them, for a program', 'leasehold sweep orders --json'),
    ],
    ...STORE,
    seeAlso: ['leasehold help work', 'leasehold help review', 'docs/cli.md'],
  },
};
