/** What the command line says of records and pools to people, word for word. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { poolAdviceText } from '../../src/cli/records/advice-text.ts';
import { nextSteps, ownedTable, refusedLines, settledText } from '../../src/cli/records/claim-text.ts';
import { enqueuedText, notEnqueuedText } from '../../src/cli/records/enqueue-text.ts';
import { poolTables } from '../../src/cli/records/pool-text.ts';
import { sweepText } from '../../src/cli/records/settle.ts';
import { sharedWork } from '../../src/cli/records/workflows.ts';
import { POOL_DEFAULTS } from '../../src/domain/records/pool-settings.ts';
import type { LiveClaim, PoolStatus, RefusalReason } from '../../src/domain/records/record.ts';
import type { Claim, ClaimedRecord, RefusedOffer } from '../../src/engine/records/claim-api.ts';
import type { SweepReport } from '../../src/engine/records/api.ts';
import { assertSaid, type Said } from './said.ts';

const SINCE = new Date('2026-11-30T08:00:00Z');

const refused = (why: RefusalReason, by: string | null = null, since: Date | null = SINCE): RefusedOffer => ({
  id: '7',
  version: '',
  why,
  by,
  since,
});
const whyNot = (offer: RefusedOffer) => (): string => refusedLines('orders', [offer], 0).join('\n');

const REFUSED: readonly Said[] = [
  [whyNot(refused('claimed', 'web1:7')), 'Not given: record "7": web1:7 has it since 2026-11-30T08:00:00.000Z.'],
  [whyNot(refused('claimed', null, null)), 'Not given: record "7": somebody has it.'],
  [whyNot(refused('done')), 'Not given: record "7": it is done since 2026-11-30T08:00:00.000Z.'],
  [whyNot({ ...refused('done', null, null), version: '2' }), 'Not given: record "7" (version "2"): it is done.'],
  [
    whyNot(refused('failed')),
    'Not given: record "7": it has failed since 2026-11-30T08:00:00.000Z; to try it again: leasehold review orders ID requeue --reason TEXT.',
  ],
  [
    whyNot(refused('review')),
    'Not given: record "7": it is in review since 2026-11-30T08:00:00.000Z; see: leasehold review orders.',
  ],
  [
    whyNot(refused('cancelled')),
    'Not given: record "7": it is cancelled since 2026-11-30T08:00:00.000Z: a newer version took its place, or a person decided so.',
  ],
  [
    whyNot(refused('earlier_version')),
    'Not given: record "7": an earlier version of it waits for its verdict, or another one is being worked.',
  ],
  [whyNot(refused('not_before')), 'Not given: record "7": it waits until 2026-11-30T08:00:00.000Z.'],
  [
    whyNot(refused('alone')),
    'Not given: record "7": it has cost two claims already and is handed out by itself; claim it alone.',
  ],
  [
    whyNot(refused('ask_first')),
    'Not given: record "7": its provider has to be asked before it may be sent again, or forgets it before this claim ends.',
  ],
  [
    whyNot(refused('over_limit')),
    'Not given: 1 more, since the claim was full; offer them again once these have their verdicts.',
  ],
  [
    whyNot(refused('not_taken')),
    'Not given: record "7": it was not tried: the claim was asked for once more, and a repeat takes nothing, or it had waited for other calls too long.',
  ],
  [whyNot(refused('paused')), 'Not given: record "7": its pool is paused.'],
  [
    whyNot({ id: '7', version: '', why: 'invalid', by: null, since: null, message: 'payload has a NUL.' }),
    'Not given: record "7": payload has a NUL.',
  ],
];

describe('of a record that was not given', () => {
  assertSaid(REFUSED);

  it('20 are named, the others counted, and those that found no room for themselves', () => {
    const lines = refusedLines(
      'orders',
      [...Array<RefusedOffer>(25).fill(refused('done')), refused('over_limit')],
      99_950,
    );
    assert.equal(lines.length, 22);
    assert.equal(lines[20], 'Not given: 5 more, each with its reason; --json lists them.');
    assert.match(lines[21] ?? '', /^Not given: 99951 more, since the claim was full;/);
  });
});

describe('of what is owned', () => {
  const owned = [
    { id: 'a', version: '', attempt: 1, effectKey: 'key-a', payloadText: null },
    { id: 'b', version: 'v2', attempt: 3, effectKey: 'key-b', payloadText: JSON.stringify({ text: 'x'.repeat(80) }) },
  ] as unknown as readonly ClaimedRecord[];

  it('each has its key for the provider, and a payload is cut', () => {
    assert.deepEqual(ownedTable(owned.slice(0, 1)).split('\n'), [
      'ID  VERSION  ATTEMPT  EFFECT KEY',
      'a   -        1        key-a',
    ]);
    assert.deepEqual(ownedTable(owned).split('\n'), [
      'ID  VERSION  ATTEMPT  EFFECT KEY  PAYLOAD',
      'a   -        1        key-a       -',
      `b   v2       3        key-b       {"text":"${'x'.repeat(50)}…`,
    ]);
  });

  it('it says what to type next, and begin only where that is for the claimer to say', () => {
    const claim = { pool: 'my orders', token: 't1', remainingMs: 600_000 } as Claim;
    const width = `leasehold verdict 'my orders' ID done --provider-ref REF`.length;
    const step = (command: string, when: string): string => `  ${command.padEnd(width)}  # ${when}`;
    assert.deepEqual(nextSteps(claim, true), [
      'Next:',
      '  export LEASEHOLD_CLAIM_TOKEN=t1',
      step(`leasehold begin 'my orders' ID`, 'before its provider is called; exit 77: send nothing'),
      step(`leasehold verdict 'my orders' ID done --provider-ref REF`, 'after it; else failed, unknown or review'),
      step(`leasehold extend 'my orders'`, 'before 10m are over, where that is too short'),
      step(`leasehold return 'my orders'`, 'at the end: what was not begun goes back'),
    ]);
    const implied = nextSteps(claim, false).join('\n');
    assert.doesNotMatch(implied, /leasehold begin/);
    assert.match(implied, /leasehold return 'my orders' --ids ID,ID +# those that were not worked go back$/);
  });

  it('what expired claims had left is said where there was any', () => {
    assert.equal(settledText({ requeued: 0, review: 0, cancelled: 0 }), null);
    assert.equal(
      settledText({ requeued: 2, review: 1, cancelled: 0 }),
      'Of expired claims: 2 queued again, 1 in review, 0 cancelled.',
    );
  });
});

const EMPTY: PoolStatus = {
  ...POOL_DEFAULTS,
  pool: 'orders',
  paused: false,
  queued: 0,
  deferred: 0,
  claimed: 0,
  toAsk: 0,
  done: 0,
  failed: 0,
  review: 0,
  cancelled: 0,
  oldestClaimAt: null,
  claims: [],
};
const by = (workflow: string | null, host = 'web1'): LiveClaim => ({
  claimId: 'c1',
  holder: `${host}:7`,
  holderInfo: workflow === null ? null : { workflow, host },
  records: 2,
  since: SINCE,
  leaseUntil: new Date(SINCE.getTime() + 600_000),
});

describe('of pools', () => {
  it('two workflows on one pool and one on two are seen at a glance', () => {
    const pools = [
      { ...EMPTY, claims: [by('sync'), by('nightly', 'web2'), by('sync')] },
      { ...EMPTY, pool: 'mails', claims: [by('sync'), by(null)] },
      { ...EMPTY, pool: 'bills', claims: [by('billing')] },
    ];
    const said = [
      'Pool "orders" is worked by 2 workflows: nightly, sync.',
      'Workflow "sync" works 2 pools: orders, mails.',
    ];
    assert.deepEqual(sharedWork(pools), said);
    assert.equal(poolTables(pools).at(-1), said.join('\n'));
    assert.deepEqual(sharedWork([EMPTY, { ...EMPTY, pool: 'b', claims: [by(null)] }]), []);
  });

  it('their tables have what they hold, what they are set to, and who works them', () => {
    const status = {
      ...EMPTY,
      redo: 'safe' as const,
      redoWindowMs: 86_400_000,
      callTimeoutMs: 30_000,
      verifier: '{"kind":"function"}',
      paused: true,
      queued: 40,
      deferred: 3,
      claimed: 2,
      toAsk: 1,
      oldestClaimAt: SINCE,
      claims: [by('sync')],
    };
    assert.deepEqual(poolTables([status]), [
      'POOL    QUEUED          CLAIMED  TO ASK  REVIEW  FAILED  DONE  CANCELLED  OLDEST CLAIM\n' +
        'orders  40 (3 not due)  2        1       0       0       0     0          2026-11-30 08:00:00Z',
      'POOL    STATE   REDO         VERIFIER  ATTEMPTS  LEASE  LIMIT  CALL TIMEOUT\n' +
        'orders  paused  safe for 1d  function  5         10m    50     30s',
      'POOL    WORKFLOW  HOST  HOLDER  RECORDS  SINCE                 UNTIL\n' +
        'orders  sync      web1  web1:7  2        2026-11-30 08:00:00Z  2026-11-30 08:10:00Z',
    ]);
  });
});

const SWEPT: SweepReport = {
  pool: 'orders',
  requeued: 0,
  review: 0,
  cancelled: 0,
  done: 0,
  waiting: 0,
  asked: 0,
  overtaken: 0,
  toAsk: 0,
  isComplete: true,
};
const SAMPLE = { records: 300, slowestMs: 200_000, p50Ms: 1_000, p95Ms: 90_000, eachP95Ms: 2_000 };
const ADVICE = { pool: 'orders', leaseMs: 400_000, limit: 100, sample: SAMPLE, warnings: [] };

const OF_POOLS: readonly Said[] = [
  [
    () => enqueuedText({ pool: 'orders', added: 2, known: 3, superseded: 2, refused: [], refusedCount: 0 }),
    'Enqueued 2 records in pool "orders", 3 known before; 2 older versions were cancelled.',
  ],
  [
    () =>
      notEnqueuedText({ id: '7', version: '', why: 'invalid', by: null, since: null, message: 'payload has a NUL' }),
    'Not enqueued: record "7": payload has a NUL',
  ],
  [() => sweepText(SWEPT), 'Nothing to settle in pool "orders".'],
  [
    () => sweepText({ ...SWEPT, requeued: 3, review: 1, toAsk: 2, isComplete: false }),
    `Settled pool "orders": 3 queued again, 1 in review, 0 cancelled; 2 wait for the provider's answer, which a sweep with its verifier asks for; there is more: sweep again.`,
  ],
  [
    () => sweepText({ ...SWEPT, toAsk: 1 }),
    `Nothing to settle in pool "orders"; 1 waits for the provider's answer, which a sweep with its verifier asks for.`,
  ],
  [
    () => poolAdviceText(ADVICE),
    'A claim of pool "orders" should last 6m 40s, twice its slowest record: from claim to verdict the slowest of 300 records took 3m 20s, and 95 % took 1m 30s at most; 100 records fit into it.',
  ],
  [
    () => poolAdviceText({ ...ADVICE, limit: 1, sample: { ...SAMPLE, records: 1 } }),
    'A claim of pool "orders" should last 6m 40s, twice its slowest record: from claim to verdict the slowest of 1 record took 3m 20s, and 95 % took 1m 30s at most; 1 record fits into it.',
  ],
  [
    () => poolAdviceText({ ...ADVICE, leaseMs: null }),
    'No advice for pool "orders": none of its records has a verdict yet; look again when some have.',
  ],
];

describe('of sweeps and advice', () => assertSaid(OF_POOLS));
