/** Guards of records taken out of the embedded engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';

const VERDICT = 'domain/records/decide-verdict.ts';
const BEGIN = 'domain/records/decide-begin.ts';
const CLAIM = 'domain/records/decide-claim.ts';
const SETTLE = 'domain/records/decide-settle.ts';
const STORED = 'domain/records/stored-record.ts';
const ENGINE = 'stores/sqlite/records';
const PLAIN = 'stores/sqlite/sql/record-plain-work.sql';

/** Begins and verdicts: whose word counts. */
const WORDS: readonly Mutation[] = [
  {
    name: 'a verdict counts whatever its token',
    edits: [
      { file: VERDICT, from: "if (speaker === 'stranger') return { kind: 'refuse', reason: 'not_owner' };", to: '' },
    ],
    caught: ['a verdict of a token that never had the record is refused, and told (G3)'],
  },
  {
    name: 'a former owner’s verdict counts as its owner’s',
    edits: [{ file: VERDICT, from: "if (speaker === 'former') return decideFormer(scene, record);", to: '' }],
    caught: [
      'a late failed, unknown or review is refused, and told with what it said (G3)',
      'a verdict repeated after its record went to another is accepted again, and changes nothing',
    ],
  },
  {
    name: 'what a former owner learned is thrown away',
    edits: [{ file: `${ENGINE}/records.ts`, from: 'if (token === null) return;', to: 'if (token !== null) return;' }],
    caught: [
      'a late done of a record that is queued again is evidence: it is done (G3)',
      'a verdict of the first of three owners is known as evidence',
    ],
  },
  {
    name: 'a verdict after another one is taken',
    edits: [
      {
        file: VERDICT,
        from: "if (record.state === 'claimed') return decideOwner",
        to: "if (record.state !== 'queued') return decideOwner",
      },
    ],
    caught: [
      'another verdict of the same token is refused, and the first one counts',
      'a record known to be done is never requeued by any verdict (G4)',
    ],
  },
  {
    name: 'evidence makes a record done that another is working',
    edits: [
      {
        file: VERDICT,
        from: "return isWorked ? { kind: 'evidence_waits' }",
        to: "return !record ? { kind: 'evidence_waits' }",
      },
    ],
    caught: ['a late done of a record that another has begun waits for that one’s word, in review'],
  },
  {
    name: 'evidence leaves a newer claim its record',
    edits: [{ file: `${ENGINE}/evidence.ts`, from: 'token: isOwn ? record.token : null', to: 'token: record.token' }],
    caught: ['a late done of a record that another has claimed and not begun revokes that claim'],
  },
  {
    name: 'two references of one record are no fault',
    edits: [
      {
        file: VERDICT,
        from: 'return one !== null && other !== null && one !== other;',
        to: "return one === '' && other === one;",
      },
    ],
    caught: [
      'done twice with two references is two effects: critical, and the first reference stays',
      'where both did it with references of their own, the effect was doubled: critical',
    ],
  },
  {
    name: 'a begin counts whatever its token',
    edits: [
      { file: BEGIN, from: "if (!isOwner) return { kind: 'refuse', reason: 'not_owner', flags: false };", to: '' },
    ],
    caught: ['a begin is refused to a token that the record doesn’t carry, and to one that it carried (G3)'],
  },
  {
    name: 'a begin needs less of the lease than a call may take',
    edits: [
      { file: BEGIN, from: 'leaseUntil - now > 0 && leaseUntil - now >= callTimeoutMs', to: 'leaseUntil - now > 0' },
    ],
    caught: ['a begin is refused where less of the lease remains than one call may take'],
  },
  {
    name: 'a begin needs no lease',
    edits: [{ file: BEGIN, from: 'leaseUntil - now > 0 && leaseUntil - now >= callTimeoutMs', to: 'leaseUntil >= 0' }],
    caught: ['a begin after the lease is over is refused, even if nobody took the record'],
  },
  {
    name: 'a begin may come when its provider no longer knows the key',
    edits: [
      { file: BEGIN, from: 'record.sendBefore !== null && record.sendBefore < now', to: 'record.sendBefore === now' },
    ],
    caught: ['a begin past the time in which its provider would know it again is refused, and the record is asked for'],
  },
  {
    name: 'a plain begin is taken from any token',
    edits: [
      {
        file: PLAIN,
        from: "+token = :token and +state = 'claimed' and is_begun",
        to: ":token is not null and +state = 'claimed' and is_begun",
      },
    ],
    caught: ['a begin is refused to a token that the record doesn’t carry, and to one that it carried (G3)'],
  },
  {
    name: 'a plain verdict is taken from any token',
    edits: [
      {
        file: PLAIN,
        from: "+token = :token and +state = 'claimed' and +unknown_at is null and has_newer",
        to: ":token is not null and +state = 'claimed' and +unknown_at is null and has_newer",
      },
    ],
    caught: ['a verdict of a token that never had the record is refused, and told (G3)'],
  },
  {
    name: 'a plain verdict lets no newer version in',
    edits: [{ file: PLAIN, from: '+unknown_at is null and has_newer = 0', to: '+unknown_at is null' }],
    caught: ['a newer version waits for the verdict of one that is claimed: no two of an id are worked at once (G4)'],
  },
  {
    name: 'a begin counts each time it is said',
    edits: [
      { file: BEGIN, from: "return record.isBegun ? { kind: 'repeat' }", to: "return !record ? { kind: 'repeat' }" },
    ],
    caught: ['a begin repeated with its token is accepted again and counts once'],
  },
];

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
        from: 'return sendBefore !== null && sendBefore < Math.max(now, claimSendsUntil ?? now);',
        to: 'return sendBefore === Math.max(now, claimSendsUntil ?? now);',
      },
    ],
    caught: [
      'queued again with a time by which it must be sent, it is not handed out after that: it is asked for anew',
    ],
  },
  {
    name: 'what is flagged is given again to the same claim',
    edits: [
      {
        file: 'stores/sqlite/sql/record-taking.sql',
        from: "and token = :token and state = 'claimed' and unknown_at is null\norder by no;",
        to: "and token = :token and state = 'claimed'\norder by no;",
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
        from: 'record.idleRequeues + (wasBegun ? 0 : 1)',
        to: 'record.idleRequeues + (wasBegun ? 1 : 0)',
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

export const RECORD_MUTATIONS: readonly Mutation[] = [...WORDS, ...CLAIMS, ...SETTLING];
