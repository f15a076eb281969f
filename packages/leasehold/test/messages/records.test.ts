/** What is said of records and pools, word for word: one example of every sentence. PostgreSQL says the same (conformance suite). */
import { describe } from 'node:test';
import {
  beginRefusedMessage,
  begunMessage,
  claimClockFaultMessage,
  claimMessage,
  effectDoubledMessage,
  evidenceMessage,
  extendMessage,
  recordName,
  returnMessage,
  verdictAcceptedMessage,
  verdictRefusedMessage,
} from '../../src/domain/records/messages.ts';
import {
  decidedMessage,
  type PoolChange,
  poolChangedMessage,
  undecidedMessage,
} from '../../src/domain/records/pool-messages.ts';
import { requeuedMessage, reviewMessage, reviewWords } from '../../src/domain/records/reasons.ts';
import { assertSaid, type Said } from './said.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;
const UNTIL = NOW + 10 * MINUTE;

const NAME = recordName('invoices', { id: '42', version: '' });
const CLAIM = { pool: 'invoices', claimId: 'c1' };
const CAME = { owned: 3, offered: 5, leaseUntil: UNTIL, isRepeat: false };
const STOOD = { state: 'done', providerRef: null, notBefore: null, why: null } as const;
const LEASE = { remainingMs: 3_000, callTimeoutMs: 30_000 };
const SAYS = { verdict: 'failed', given: 'done' } as const;
const ABOUT = { attempt: 2, holder: 'web1:7', words: null, wasBegun: false, notBefore: null };
const TIMES = { ...ABOUT, times: 5 };
const POOL: PoolChange = {
  settings: {
    redo: 'ask',
    redoWindowMs: null,
    attempts: 5,
    leaseMs: 10 * MINUTE,
    limit: 50,
    callTimeoutMs: 0,
    verifier: null,
  },
  paused: false,
};
const CHANGED: PoolChange = {
  settings: {
    redo: 'safe',
    redoWindowMs: 24 * 60 * MINUTE,
    attempts: 3,
    leaseMs: 5 * MINUTE,
    limit: 20,
    callTimeoutMs: 30_000,
    verifier: '{"kind":"function"}',
  },
  paused: true,
};
const OTHER: PoolChange = {
  ...CHANGED,
  settings: { ...CHANGED.settings, verifier: '{"kind":"function","commitDelayMs":1}' },
};

const CLAIMS: readonly Said[] = [
  [
    () => claimMessage('claimed', CLAIM, CAME),
    'Claimed 3 of 5 records offered to pool "invoices", until 2026-01-05T12:10:00.000Z.',
  ],
  [
    () => claimMessage('claimed', CLAIM, { ...CAME, owned: 0, offered: 1, leaseUntil: null }),
    'Claimed none of 1 record offered to pool "invoices"; each has its reason.',
  ],
  [
    () => claimMessage('claimed', CLAIM, { ...CAME, owned: 1, offered: null }),
    'Claimed 1 record of pool "invoices", until 2026-01-05T12:10:00.000Z.',
  ],
  [
    () => claimMessage('claimed', CLAIM, { ...CAME, owned: 0, offered: null, leaseUntil: null }),
    'Claimed nothing of pool "invoices": no record of its queue may be had now.',
  ],
  [
    () => claimMessage('claimed', CLAIM, { ...CAME, isRepeat: true }),
    'Claim c1 of pool "invoices" has 3 records, until 2026-01-05T12:10:00.000Z: the same claim asked again.',
  ],
  [
    () => claimMessage('paused', { ...CLAIM, pool: 'out bound' }, CAME),
    `Claimed nothing of pool "out bound": it is paused; to go on: leasehold resume --pool 'out bound'`,
  ],
  [
    () => claimMessage('lock_lost', CLAIM, CAME),
    'Claimed nothing of pool "invoices": the lock that the claim names is no longer held by that token; stop.',
  ],
  [
    () => claimMessage('claim_ended', CLAIM, CAME),
    'Claimed nothing of pool "invoices": claim c1 had its records and its lease is over; a new claim needs a new claim id.',
  ],
  [
    () => extendMessage({ ...CLAIM, leaseUntil: UNTIL }, null, NOW),
    'Extended claim c1 of pool "invoices" until 2026-01-05T12:10:00.000Z.',
  ],
  [
    () => extendMessage({ ...CLAIM, leaseUntil: NOW - 90_000 }, 'expired', NOW),
    'Lost claim c1 of pool "invoices": its lease ended 1m 30s ago; begin nothing more.',
  ],
  [
    () => extendMessage({ ...CLAIM, leaseUntil: UNTIL }, 'settled', NOW),
    'Lost claim c1 of pool "invoices": each of its records has its verdict or went back.',
  ],
  [
    () => extendMessage({ ...CLAIM, claimId: null, leaseUntil: null }, 'unknown_token', NOW),
    'Lost the claim: no claim of pool "invoices" has this token; check the pool and the token.',
  ],
  [() => returnMessage('invoices', 'c1', 3, 0), 'Gave 3 records of claim c1 back to pool "invoices".'],
  [
    () => returnMessage('invoices', 'c1', 1, 2),
    'Gave 1 record of claim c1 back to pool "invoices"; it keeps 2 records, which only a verdict settles.',
  ],
  [
    () => returnMessage('invoices', null, 0, 0),
    'Gave nothing back: no claim of pool "invoices" has this token; check the pool and the token.',
  ],
  [
    () => claimClockFaultMessage('invoices', 'c1', NOW + 90 * MINUTE, UNTIL),
    'The lease of claim c1 of pool "invoices" was to end at 2026-01-05T13:30:00.000Z, further away than its whole length: a clock was ahead. It ends at 2026-01-05T12:10:00.000Z.',
  ],
];

const WORK: readonly Said[] = [
  [() => begunMessage(NAME, 2), 'Began attempt 2 of record "42" of pool "invoices".'],
  [
    () => begunMessage(recordName('invoices', { id: '42', version: 'v7' }), 1),
    'Began attempt 1 of record "42" (version "v7") of pool "invoices".',
  ],
  [
    () => beginRefusedMessage(NAME, 'lease_over', LEASE),
    'Refused to begin record "42" of pool "invoices": its claim has 3s left and a call to the provider may take 30s; extend the claim first.',
  ],
  [
    () => beginRefusedMessage(NAME, 'lease_over', { ...LEASE, remainingMs: 0 }),
    'Refused to begin record "42" of pool "invoices": the lease of its claim is over; send nothing.',
  ],
  [
    () => beginRefusedMessage(NAME, 'not_claimed', LEASE),
    `Refused to begin record "42" of pool "invoices": it has its verdict, or waits for its provider's answer; send nothing.`,
  ],
  [
    () => beginRefusedMessage(NAME, 'send_before', LEASE),
    'Refused to begin record "42" of pool "invoices": its provider may no longer know it again, so it has to be asked first; send nothing.',
  ],
  [
    () => beginRefusedMessage(NAME, 'not_owner', LEASE),
    'Refused to begin record "42" of pool "invoices": this token does not own it; send nothing.',
  ],
  [
    () => beginRefusedMessage(NAME, 'unknown_record', LEASE),
    'Refused to begin record "42" of pool "invoices": there is no such record; check its id and its pool.',
  ],
  [() => verdictAcceptedMessage(NAME, STOOD), 'Record "42" of pool "invoices" is done.'],
  [
    () => verdictAcceptedMessage(NAME, { ...STOOD, providerRef: 'ch_1' }),
    'Record "42" of pool "invoices" is done (provider reference ch_1).',
  ],
  [() => verdictAcceptedMessage(NAME, { ...STOOD, state: 'failed' }), 'Record "42" of pool "invoices" has failed.'],
  [
    () => verdictAcceptedMessage(NAME, { ...STOOD, state: 'queued', notBefore: NOW + MINUTE }),
    'Record "42" of pool "invoices" is tried again, not before 2026-01-05T12:01:00.000Z.',
  ],
  [
    () => verdictAcceptedMessage(NAME, { ...STOOD, state: 'claimed' }),
    'Record "42" of pool "invoices" stays claimed: its outcome is unknown, and the next sweep settles it.',
  ],
  [
    () =>
      verdictAcceptedMessage(NAME, {
        ...STOOD,
        state: 'review',
        why: reviewWords('said', { ...TIMES, words: 'odd amount' }),
      }),
    'Record "42" of pool "invoices" is in review: web1:7 asked for it (odd amount).',
  ],
  [() => verdictAcceptedMessage(NAME, { ...STOOD, state: 'review' }), 'Record "42" of pool "invoices" is in review.'],
  [
    () => verdictAcceptedMessage(NAME, { ...STOOD, state: 'cancelled' }),
    'Record "42" of pool "invoices" is cancelled.',
  ],
  [
    () => verdictRefusedMessage(NAME, 'not_owner', SAYS),
    'Refused failed for record "42" of pool "invoices": this token does not own it.',
  ],
  [
    () => verdictRefusedMessage(NAME, 'other_verdict', SAYS),
    'Refused failed for record "42" of pool "invoices": its verdict was done.',
  ],
  [
    () => verdictRefusedMessage(NAME, 'other_verdict', { ...SAYS, given: null }),
    'Refused failed for record "42" of pool "invoices": its verdict was another one.',
  ],
  [
    () => verdictRefusedMessage(NAME, 'unknown_record', SAYS),
    'Refused failed for record "42" of pool "invoices": there is no such record; check its id and its pool.',
  ],
  [() => evidenceMessage(NAME, 'done'), 'Kept as evidence: record "42" of pool "invoices" is done.'],
  [
    () => evidenceMessage(NAME, 'review'),
    'Kept as evidence that record "42" of pool "invoices" is done; another claim has begun it, so it is in review until that one has its verdict.',
  ],
  [
    () => effectDoubledMessage(NAME, 'ch_1', 'ch_2'),
    'Record "42" of pool "invoices" took effect twice: its provider references are ch_1 and ch_2; see which one has to be undone.',
  ],
];

const REASONS: readonly Said[] = [
  [
    () => requeuedMessage(NAME, 'expired', ABOUT),
    'Requeued record "42" of pool "invoices": the claim of web1:7 expired before its work began.',
  ],
  [
    () => requeuedMessage(NAME, 'expired', { ...ABOUT, wasBegun: true }),
    'Requeued record "42" of pool "invoices": the outcome of attempt 2 by web1:7 is unknown, and its pool says that a repeat is safe.',
  ],
  [
    () => requeuedMessage(NAME, 'failed', { ...ABOUT, wasBegun: true, words: 'HTTP 429', notBefore: NOW + MINUTE }),
    'Requeued record "42" of pool "invoices": attempt 2 by web1:7 failed (HTTP 429); it is tried again from 2026-01-05T12:01:00.000Z on.',
  ],
  [
    () => requeuedMessage(NAME, 'failed', { ...ABOUT, words: 'ECONNREFUSED', notBefore: NOW + MINUTE }),
    'Requeued record "42" of pool "invoices": web1:7 failed before its work began (ECONNREFUSED); it is tried again from 2026-01-05T12:01:00.000Z on.',
  ],
  [
    () => requeuedMessage(NAME, 'returned', { ...ABOUT, holder: null }),
    'Requeued record "42" of pool "invoices": unknown gave it back unworked.',
  ],
  [
    () => requeuedMessage(NAME, 'looked_up', { ...ABOUT, words: 'it has no such effect' }),
    'Requeued record "42" of pool "invoices": its provider was asked: it has no such effect.',
  ],
  [
    () => requeuedMessage(NAME, 'looked_up', ABOUT),
    'Requeued record "42" of pool "invoices": its provider was asked: nothing was said.',
  ],
  [
    () => requeuedMessage(NAME, 'person', { ...ABOUT, words: 'TICKET17' }),
    'Requeued record "42" of pool "invoices": a person decided so; reason: TICKET17',
  ],
  [
    () => reviewMessage(NAME, 'invoices', reviewWords('expired', TIMES)),
    'Record "42" of pool "invoices" is in review: nobody knows the outcome of attempt 2 by web1:7, and nothing can ask for it; to see what waits: leasehold review invoices',
  ],
  [() => reviewWords('idle', TIMES), 'its claims expired or failed 5 times before its work began'],
  [
    () => reviewWords('idle', { ...TIMES, words: 'ECONNREFUSED' }),
    'its claims expired or failed 5 times before its work began (ECONNREFUSED)',
  ],
  [() => reviewWords('attempts', { ...TIMES, words: 'HTTP 500' }), 'its attempts are used up, 5 of them (HTTP 500)'],
  [() => reviewWords('attempts', TIMES), 'its attempts are used up, 5 of them'],
  [() => reviewWords('unanswered', TIMES), 'nobody could say within 24h whether attempt 2 by web1:7 took effect'],
  [() => reviewWords('said', TIMES), 'web1:7 asked for it'],
  [() => reviewWords('evidence', TIMES), 'a former owner says that it is done, and attempt 2 by web1:7 is under way'],
  [() => reviewWords('looked_up', { ...TIMES, words: 'HTTP 401' }), 'its provider was asked: HTTP 401'],
];

const POOLS: readonly Said[] = [
  [
    () => poolChangedMessage('invoices', POOL, CHANGED, 'TICKET17'),
    'Changed pool "invoices": redo from ask to safe, redo window from none to 1d, attempts from 5 to 3, lease from 10m to 5m, limit from 50 to 20, call timeout from 0ms to 30s, verifier from none to function, paused from no to yes; reason: TICKET17',
  ],
  [
    () => poolChangedMessage('invoices', POOL, { ...POOL, paused: true }),
    'Changed pool "invoices": paused from no to yes.',
  ],
  [() => poolChangedMessage('invoices', CHANGED, OTHER), 'Changed pool "invoices": its verifier.'],
  [() => poolChangedMessage('invoices', POOL, POOL), 'Pool "invoices" is set so already.'],
  [
    () => decidedMessage(NAME, 'ask'),
    'Record "42" of pool "invoices" stays in review: the next sweep asks its provider again.',
  ],
  [() => decidedMessage(NAME, 'done'), 'Record "42" of pool "invoices" is done: a person decided so.'],
  [() => decidedMessage(NAME, 'requeue'), 'Record "42" of pool "invoices" is queued again: a person decided so.'],
  [() => decidedMessage(NAME, 'fail'), 'Record "42" of pool "invoices" has failed: a person decided so.'],
  [
    () => undecidedMessage(NAME, 'no_such_record', null),
    'Decided nothing: there is no record "42" of pool "invoices"; check its id, its version and its pool.',
  ],
  [
    () => undecidedMessage(NAME, 'several_versions', null),
    'Decided nothing: several versions of record "42" of pool "invoices" could be meant; name one.',
  ],
  [
    () => undecidedMessage(NAME, 'wrong_state', 'claimed'),
    `Decided nothing: record "42" of pool "invoices" is claimed, and that can't be done to it.`,
  ],
  [
    () => undecidedMessage(NAME, 'no_verifier', 'review'),
    'Decided nothing: nothing can ask for record "42" of pool "invoices"; give its pool a verifier first.',
  ],
];

describe('of claims', () => assertSaid(CLAIMS));
describe('of begins and verdicts', () => assertSaid(WORK));
describe('of requeues and reviews', () => assertSaid(REASONS));
describe('of pools and decisions', () => assertSaid(POOLS));
