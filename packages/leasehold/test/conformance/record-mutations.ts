/** Guards of records taken out of the embedded engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';
import { DECIDED_EVIDENCE_MUTATIONS } from './decided-evidence-mutations.ts';
import { RECORD_WORD_MUTATIONS } from './record-word-mutations.ts';
import { SHARED_CLAIM_MUTATIONS } from './shared-claim-mutations.ts';

const CLAIM = 'domain/records/decide-claim.ts';
const SETTLE = 'domain/records/decide-settle.ts';
const STORED = 'domain/records/stored-record.ts';
const ENGINE = 'stores/sqlite/records';

/** What a claim gets. */
const CLAIMS: readonly Mutation[] = [
  {
    name: 'a claim takes what another has',
    edits: [
      {
        file: CLAIM,
        from: "return { kind: 'refuse', why: 'claimed', since: record.claimedAt };",
        to: "return { kind: 'take' };",
      },
    ],
    caught: [
      'a record that another claim has is refused, with its holder and since when (C65, C74, C88)',
      'of two activations at once for one thing exactly one has it (C74, C88)',
    ],
  },
  {
    name: 'a newer version doesn’t wait for an older one',
    edits: [{ file: CLAIM, from: 'if (record.waits || isIdWorked)', to: 'if (isIdWorked)' }],
    caught: [
      'a newer version waits for one that failed for a while, and the older is worked first',
      'one in review holds the newer version until a person has decided',
    ],
  },
  {
    name: 'a newer version cancels one that was begun',
    edits: [{ file: CLAIM, from: "return older.attempt === 0 ? 'cancels' : 'waits';", to: "return 'cancels';" }],
    caught: ['a newer version waits for one that failed for a while, and the older is worked first'],
  },
  {
    name: 'a newer version is never let in',
    edits: [
      {
        file: `${ENGINE}/versions.ts`,
        from: 'if (next !== undefined) session.run',
        to: 'if (next === undefined) session.run',
      },
    ],
    caught: [
      'a newer version waits for the verdict of one that is claimed: no two of an id are worked at once (G4)',
      'an answer that it is done frees the newer version',
    ],
  },
  {
    name: 'a claim that goes on gets a second version of an id',
    edits: [{ file: `${ENGINE}/offers.ts`, from: 'return isOurs || isIdWorked', to: 'return !isOurs && isIdWorked' }],
    caught: ['a claim that goes on gets no second version of an id: its verdicts name none'],
  },
  {
    name: 'a record that kills its worker goes with others',
    edits: [
      { file: CLAIM, from: 'export const IDLE_REQUEUES_ALONE = 2;', to: 'export const IDLE_REQUEUES_ALONE = 99;' },
    ],
    caught: [
      'a record that cost two claims is handed out by itself, so that it takes no neighbour along (C97)',
      'offered by id, such a record is given first and alone, or not at all',
    ],
  },
  {
    name: 'a record is handed out when its provider no longer knows its key',
    edits: [
      {
        file: CLAIM,
        from: 'return sendBefore !== null && sendBefore < now;',
        to: 'return sendBefore === now;',
      },
    ],
    caught: [
      'queued again with a time by which it must be sent, it is not handed out after that: it is asked for anew',
    ],
  },
  {
    name: 'a claim is given what its provider may have forgotten by its end',
    edits: [
      {
        file: CLAIM,
        from: 'sendBefore >= now && sendBefore < (claimSendsUntil ?? now)',
        to: 'sendBefore < (claimSendsUntil ?? now) && false',
      },
      {
        file: `${ENGINE}/queue.ts`,
        from: 'until: lastSendAt(taker, rules.callTimeoutMs) ?? now',
        to: 'until: rules.callTimeoutMs < 0 ? (lastSendAt(taker, 0) ?? now) : now',
      },
    ],
    caught: [
      'no claim that begins all at once is given what it might send after its provider has forgotten it (G5)',
      'what a claim is too long for stays queued, and tells nothing, however often it is asked for',
    ],
  },
  {
    name: 'what is flagged is given again to the same claim',
    edits: [
      {
        file: 'stores/sqlite/records/repeat.ts',
        from: '!record.isFlagged && isGivenAgain(record, claim)',
        to: 'isGivenAgain(record, claim)',
      },
    ],
    caught: ['a claim that met a record to be asked for neither has it when it is asked again, nor gives it back'],
  },
  {
    name: 'a claim is never full',
    edits: [
      {
        file: `${ENGINE}/offers.ts`,
        from: 'return this.#owned() >= this.#offer.limit;',
        to: 'return this.#owned() < 0;',
      },
    ],
    caught: ['a claim gets no more than its limit: the rest is refused without a look, and not made known'],
  },
  {
    name: 'a deferred record is handed out',
    edits: [
      { file: CLAIM, from: 'record.notBefore !== null && record.notBefore > now', to: 'record.notBefore === now' },
    ],
    caught: ['a deferred record is counted, and not handed out before its instant'],
  },
  {
    name: 'a lost lock may claim',
    edits: [
      {
        file: `${ENGINE}/claim.ts`,
        from: 'if (request.lockToken !== null && lock === null)',
        to: "if (request.lockToken === '' && lock === null)",
      },
    ],
    caught: ['a run that lost its lock claims nothing, makes nothing known and settles nothing (G3)'],
  },
  {
    name: 'a claim asked again after its lease takes anew',
    edits: [
      {
        file: `${ENGINE}/claim.ts`,
        from: 'if (repeated !== null && repeated.leaseUntil <= now)',
        to: 'if (repeated !== null && repeated.leaseUntil < 0)',
      },
    ],
    caught: ['a continued claim whose lease is over takes nothing'],
  },
  {
    name: 'a pause is ignored by claims',
    edits: [{ file: `${ENGINE}/claim.ts`, from: 'if (pool.pausedAt !== null &&', to: 'if (pool.pausedAt === 0 &&' }],
    caught: ['a paused pool hands nothing out, makes nothing known and says so, until it is resumed'],
  },
];

/** What becomes of expired claims, and of what nobody knows. */
const SETTLING: readonly Mutation[] = [
  {
    name: 'work that was begun is requeued as if it never was',
    edits: [
      {
        file: SETTLE,
        from: 'if (!record.isBegun && record.unknownAt === null) return decideUnbegun(record, rules);',
        to: 'if (record.no > 0) return decideUnbegun(record, rules);',
      },
    ],
    caught: [
      'a begun record of a pool that asks goes to review where nobody can be asked (G5)',
      'with a verifier a begun record stays claimed until the sweep has asked, and goes to review after 24 h',
    ],
  },
  {
    name: 'a repeat is made after its window',
    edits: [
      { file: SETTLE, from: 'if (until === null || now < until) {', to: 'if (until === null || until < now + 9e15) {' },
    ],
    caught: ['a repeat that is harmless for a while is made only within it, counted from the first begin'],
  },
  {
    name: 'attempts are never used up',
    edits: [
      {
        file: STORED,
        from: 'return record.attempt - record.attemptsForgiven >= attempts;',
        to: 'return record.attempt - record.attemptsForgiven >= attempts * 1e6;',
      },
    ],
    caught: [
      'the last attempt that fails ends in review, not in a loop: its neighbours are worked once (C97)',
      'the last attempt of a pool that repeats ends in review',
      'a requeue by an answer whose attempts are used up is review',
    ],
  },
  {
    name: 'claims that expire idle are never counted',
    edits: [
      {
        file: `${ENGINE}/settle.ts`,
        from: 'wasBegun ? record.idleRequeues : oneMore(record.idleRequeues)',
        to: 'wasBegun ? oneMore(record.idleRequeues) : record.idleRequeues',
      },
    ],
    caught: ['a record whose claims expire again and again before its work began goes to review'],
  },
  {
    name: 'nobody asks for ever',
    edits: [{ file: SETTLE, from: 'return now - waitsSince >= ASK_MS_MAX', to: 'return now - waitsSince < 0' }],
    caught: ['with a verifier a begun record stays claimed until the sweep has asked, and goes to review after 24 h'],
  },
  {
    name: 'claims leave what expired to others',
    edits: [
      {
        file: `${ENGINE}/claim.ts`,
        from: 'const settled = settleExpired(session, pool, SETTLED_MAX, now);\n  const { taken, flagged }',
        to: 'const settled = NOTHING_SETTLED;\n  const { taken, flagged }',
      },
    ],
    caught: [
      'a claim of the next ones settles what expired before it, and takes that too (C67, C69)',
      'claims of a worker that died are settled by age of each, within the next claim (C67, C69)',
    ],
  },
  {
    name: 'an answer applies to whatever the record is now',
    edits: [
      {
        file: `${ENGINE}/apply-lookup.ts`,
        from: 'if (!isAsSeen(record, claim, seen) || !isToAsk(record, claim, now)) {',
        to: 'if (now < 0) {',
      },
    ],
    caught: [
      'an answer doesn’t apply to a record that has changed since it was asked about',
      'an answer asked for by an attempt before doesn’t apply to a later one',
      'an answer doesn’t apply where claim, holder, attempt, begin or lease are not those asked about',
    ],
  },
  {
    name: 'what was begun is given back',
    edits: [
      {
        file: `${ENGINE}/give-back.ts`,
        from: 'return claim.explicitBegin ? !isBegun : named !== null;',
        to: 'return claim.explicitBegin ? !isFlagged : named !== null || isBegun;',
      },
    ],
    caught: [
      'what was never begun goes back to the queue at once, and is told; what was begun stays',
      'of a claim that began all at once only those named go back, as never begun',
    ],
  },
  {
    name: 'a claim is extended after its lease',
    edits: [{ file: `${ENGINE}/extend.ts`, from: 'if (claim.leaseUntil <= now)', to: 'if (claim.leaseUntil < 0)' }],
    caught: ['an extension after the lease is over is lost, even if nobody took the records'],
  },
  {
    name: 'each record that needs a person is an alert',
    edits: [
      { file: 'stores/sqlite/events.ts', from: 'if (isSharedAlert(event) &&', to: 'if (!isSharedAlert(event) &&' },
    ],
    caught: ['however many records need a person, the pool has one alert of it that waits (G7)'],
  },
  {
    name: 'a sender that nobody heard of is taken to have stopped',
    edits: [
      {
        file: `${ENGINE}/sweep.ts`,
        from: 'unknownAt: isSaid && record.unknownAt !== null ?',
        to: 'unknownAt: record.unknownAt !== null ?',
      },
    ],
    caught: ['asked for because its provider may no longer know it, nobody is taken to have stopped sending it (G5)'],
  },
];

export const RECORD_MUTATIONS: readonly Mutation[] = [
  ...RECORD_WORD_MUTATIONS,
  ...DECIDED_EVIDENCE_MUTATIONS,
  ...SHARED_CLAIM_MUTATIONS,
  ...CLAIMS,
  ...SETTLING,
];
