import {
  CLAIM_TOKEN_ENVIRONMENT,
  example,
  type HelpPage,
  STORE_ENVIRONMENT,
  STORE_FILES,
  storeExits,
  TELLING_FILES,
} from './page.ts';

const STORE = { environment: STORE_ENVIRONMENT, files: STORE_FILES };
const WITH_TOKEN = { environment: CLAIM_TOKEN_ENVIRONMENT, files: STORE_FILES };

/** To claim records before they are worked, and to say what became of them. */
export const RECORD_PAGES: Readonly<Record<string, HelpPage>> = {
  enqueue: {
    usage: 'enqueue POOL --ids A,B|--ids-file FILE',
    about: [
      'Makes records known without claiming them; claim without ids takes them from there, in this order. A version that is known stays as it is, so the same call again adds what is missing and nothing twice. A newer version cancels an older one that nobody has begun.',
      'A file has one id a line, or one object a line: {"id","version","payload","notBefore"}. All of it is read and checked before the store hears of it.',
    ],
    exitCodes: storeExits(['64', 'the command line or a line of the ids is wrong; no store was touched']),
    examples: [
      example('One id a line', './new-orders.sh | leasehold enqueue orders --ids-file -'),
      example('Two of them', 'leasehold enqueue orders --ids 4711,4712'),
    ],
    ...STORE,
    seeAlso: ['leasehold help claim', 'leasehold help records', 'leasehold help pool', 'docs/cli.md'],
  },
  claim: {
    usage: 'claim POOL [--ids A,B|--ids-file FILE] [options]',
    about: [
      'Takes records so that nobody else works them: those that are offered, or the next ones of the queue. Prints what it got with their token, and says of each of the others why not. Nothing owned is exit 0: that others have them is no failure.',
      'Nothing renews a claim but extend. A record counts as begun at once, so when the claim ends without a verdict its outcome is unknown, and it is asked for or goes to review; with --explicit-begin only those that begin was called for. To repeat a call whose answer was lost give --claim-id and --holder.',
    ],
    exitCodes: storeExits(
      ['0', 'claimed, also where nothing is owned: look at "owned"'],
      ['64', 'the command line or a line of the ids is wrong; no store was touched'],
      ['69', "the store can't be reached, timed out, is read-only or full; nothing was started"],
      ['74', 'the token could not be written to stdout; the claim has been given back'],
      ['128 + n', 'ended by signal n; the claim has been given back'],
    ),
    examples: [
      example('The next 20 of the queue', 'leasehold claim orders --limit 20 --explicit-begin --json'),
      example('Those that a query found', './due.sh | leasehold claim orders --ids-file - --lease 15m --json'),
      example(
        'Repeatable after a lost answer',
        'leasehold claim orders --claim-id "$BUILD_ID" --holder "$HOSTNAME" --json',
      ),
    ],
    environment: [
      ['LEASEHOLD_TOKEN, LEASEHOLD_LOCK', 'under run: the lock that must be held, and the workflow'],
      ...STORE_ENVIRONMENT,
    ],
    files: TELLING_FILES,
    seeAlso: [
      'leasehold help begin',
      'leasehold help verdict',
      'leasehold help extend',
      'leasehold help return',
      'docs/cli.md',
    ],
  },
  begin: {
    usage: 'begin POOL ID [--token T]',
    about: [
      'Says that from now on the provider may be called for this record, of a claim with --explicit-begin. Send nothing unless it is exit 0: it is refused when less of the lease remains than one call may take, and when another claim has the record. May be repeated, and counts once.',
    ],
    exitCodes: storeExits(['0', 'begun: send it'], ['77', 'refused: send nothing']),
    examples: [
      example('Before the call', 'leasehold begin orders 4711 && ./send.sh 4711'),
      example('With the answer for a program', 'leasehold begin orders 4711 --json'),
    ],
    ...WITH_TOKEN,
    seeAlso: ['leasehold help claim', 'leasehold help verdict', 'docs/cli.md'],
  },
  verdict: {
    usage: 'verdict POOL ID done|failed|unknown|review [options]',
    about: [
      'Says what became of a record: done (the provider confirmed it), failed (it certainly did nothing; tried again later unless --permanent), unknown (timed out, connection lost, 5xx after sending: the provider is asked), review (a person must look).',
      'Needs only the token, also after the lease is over. A done of a former owner is kept as evidence, and the record is done. The same verdict again is accepted and counts once.',
    ],
    exitCodes: storeExits(['0', 'accepted, or kept as evidence'], ['77', 'refused: the record is not of this token']),
    examples: [
      example('The provider confirmed it', 'leasehold verdict orders 4711 done --provider-ref re_8Xk2'),
      example('Nobody knows', "leasehold verdict orders 4711 unknown --error 'timed out after 30s'"),
      example('It will never work', "leasehold verdict orders 4711 failed --permanent --error 'no such address'"),
    ],
    ...WITH_TOKEN,
    seeAlso: ['leasehold help claim', 'leasehold help review', 'docs/cli.md'],
  },
  extend: {
    usage: 'extend POOL [--token T] [--lease D]',
    about: [
      'Renews a live claim with all its records from now on, by its own length unless --lease says otherwise. One that is over is lost even if nobody took its records: begin nothing more then. What was begun still takes its verdict.',
    ],
    exitCodes: storeExits(['0', 'extended'], ['77', 'lost: begin nothing more']),
    examples: [
      example('Between two records', 'leasehold extend orders || exit 1'),
      example('For a step that takes long', 'leasehold extend orders --lease 30m'),
    ],
    ...WITH_TOKEN,
    seeAlso: ['leasehold help claim', 'leasehold help return', 'docs/cli.md'],
  },
  return: {
    usage: 'return POOL [--token T] [--ids A,B|--ids-file FILE]',
    about: [
      'Gives records back that were not worked, so that others have them now and not when the claim is over. What was begun stays: only a verdict settles it. Of a claim without --explicit-begin all count as begun, and only those go back that are named here; name none that was sent.',
    ],
    exitCodes: storeExits(
      ['0', 'given back, also where there was nothing to give back'],
      ['64', 'the command line or a line of the ids is wrong; no store was touched'],
      ['77', 'no claim of the pool has this token'],
    ),
    examples: [
      example('At the end of a script', "trap 'leasehold return orders' EXIT"),
      example('Those that were not sent', 'leasehold return orders --ids 4713,4714'),
    ],
    ...WITH_TOKEN,
    seeAlso: ['leasehold help claim', 'leasehold help verdict', 'docs/cli.md'],
  },
};
