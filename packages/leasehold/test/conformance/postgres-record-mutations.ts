/** Guards of records taken out of the SQL functions: see postgres-mutations.ts. */
import { POSTGRES_DECIDED_EVIDENCE_MUTATIONS } from './decided-evidence-mutations.ts';
import type { PostgresMutation } from './postgres-mutations.ts';
import { POSTGRES_QUEUED_MUTATIONS } from './queued-mutations.ts';
import { POSTGRES_SHARED_CLAIM_MUTATIONS } from './shared-claim-mutations.ts';

/** Begins and verdicts: whose word counts. */
const WORDS: readonly PostgresMutation[] = [
  {
    name: 'a repeated claim is given what it has begun, in SQL',
    edits: [{ name: '_owned', from: ' AND (NOT (r.is_begun AND (_owned.claim).explicit_begin))', to: '' }],
    caught: [
      'a claim by id repeated is not given what it has begun: who asks again may be another, and the begin has sent (G1)',
    ],
  },
  {
    name: 'the end of a claimer counts though another has its token, in SQL',
    edits: [{ name: '_note_shared', from: 'set is_shared = true', to: 'set is_shared = false' }],
    caught: ['after a begin by token the end of the process that claimed proves nothing: another has the token (G5)'],
  },
  {
    name: 'an owner that comes too late is told of a verdict that it never gave, in SQL',
    edits: [{ name: '_decide_verdict', from: "when r.verdict is null then 'settled'", to: '' }],
    caught: [
      'what its owner says of a record that its lease’s end sent to review is told, and said again it is told no more',
    ],
  },
  {
    name: 'a verdict counts whatever its token, in SQL',
    edits: [
      { name: '_decide_verdict', from: "when speaker = 'stranger' then 'not_owner'", to: '' },
      { name: '_done_plain', from: ' and (r.token = _done_plain.token) is true', to: '' },
    ],
    caught: ['a verdict of a token that never had the record is refused, and told (G3)'],
  },
  {
    name: 'a former owner’s verdict counts as its owner’s, in SQL',
    edits: [
      { name: '_decide_verdict', from: "when speaker = 'former' then case", to: "when speaker = 'none' then case" },
    ],
    caught: [
      'a late failed, unknown or review is refused, and told with what it said (G3)',
      'a verdict repeated after its record went to another is accepted again, and changes nothing',
    ],
  },
  {
    name: 'what a former owner learned is thrown away, in SQL',
    edits: [{ name: '_remember_owner', from: 'where own.token is not null', to: 'where own.token is null and false' }],
    caught: [
      'a late done of a record that is queued again is evidence: it is done (G3)',
      'a verdict of the first of three owners is known as evidence',
    ],
  },
  {
    name: 'evidence leaves a newer claim its record, in SQL',
    edits: [{ name: '_keep_evidence', from: 'r.token := null;', to: '' }],
    caught: ['a late done of a record that another has claimed and not begun revokes that claim'],
  },
  {
    name: 'what was said before is told again, in SQL',
    edits: [
      { name: '_keep_evidence', from: 'if not was_said then', to: 'if true then' },
      { name: '_tell_doubled', from: 'if not was_said then', to: 'if true then' },
    ],
    caught: [
      'a former owner’s done that is said again is told once',
      'an owner’s second reference is told once as well, and a third one again',
    ],
  },
  {
    name: 'the references of two former owners are not compared, in SQL',
    edits: [
      {
        name: '_keep_evidence',
        from: 'leasehold._differ(v.provider_ref, kept)',
        to: "decision = 'doubled'",
      },
    ],
    caught: ['two former owners that name two references tell of two effects while a third works it: critical'],
  },
  {
    name: 'a failure before the work begins is not counted, in SQL',
    edits: [
      {
        name: '_apply_verdict',
        from: 'case when r.is_begun then r.idle_requeues else leasehold._one_more(r.idle_requeues) end',
        to: 'r.idle_requeues',
      },
    ],
    caught: [
      'a record that fails before its work begins waits longer each time, and is told as that',
      'a record that fails twice before its work begins goes alone, and later to review',
    ],
  },
  {
    name: 'a verdict after another one is taken, in SQL',
    edits: [
      { name: '_decide_verdict', from: "when r.state = 'claimed' then case", to: "when r.state <> 'queued' then case" },
    ],
    caught: [
      'another verdict of the same token is refused, and the first one counts',
      'a record known to be done is never requeued by any verdict (G4)',
    ],
  },
  {
    name: 'a begin counts whatever its token, in SQL',
    edits: [
      { name: '_begin_one', from: "when found_record.speaker <> 'owner' then 'not_owner'", to: '' },
      { name: '_begin_plain', from: ' and (r.token = _begin_plain.token) is true', to: '' },
    ],
    caught: ['a begin is refused to a token that the record doesn’t carry, and to one that it carried (G3)'],
  },
  {
    name: 'a begin needs less of the lease than a call may take, in SQL',
    edits: [
      { name: '_begin_one', from: 'answer.remaining_ms < settings.call_timeout_ms', to: 'false' },
      {
        name: '_begin_plain',
        from: "between at + coalesce(call_timeout_ms, 0) * interval '1 millisecond'",
        to: 'between at',
      },
    ],
    caught: ['a begin is refused where less of the lease remains than one call may take'],
  },
  {
    name: 'a begin may come when its provider no longer knows the key, in SQL',
    edits: [
      { name: '_begin_one', from: "when r.send_before < now_at then 'send_before'", to: '' },
      { name: '_begin_plain', from: ' and r.send_before is null', to: '' },
    ],
    caught: ['a begin past the time in which its provider would know it again is refused, and the record is asked for'],
  },
];

/** What a claim gets. */
const CLAIMS: readonly PostgresMutation[] = [
  {
    name: 'a version that waits for nothing is left waiting, in SQL',
    edits: [{ name: '_free_stranded', from: 'and w.waits', to: 'and false' }],
    caught: [
      'a version that waits for one that was made done by hand is had by whoever claims it',
      'a version that waits for one that was made done or deleted by hand is let in by a sweep',
    ],
  },
  {
    name: 'what was found too late is sent again, in SQL',
    edits: [{ name: 'apply_lookup', from: "decision = 'done' and r.state in", to: 'false and r.state in' }],
    caught: [
      'found too late for a record that failed meanwhile, it is asked for anew before it is sent (G4)',
      'found too late for a record that another has claimed and not begun, its begin is refused',
    ],
  },
  {
    name: 'an answer absent counts for more than the word of a former owner, in SQL',
    edits: [{ name: '_requeue_after_lookup', from: 'r.evidence_at is not null', to: 'false' }],
    caught: ['absent of a record that a former owner says is done is review, not a second sending'],
  },
  {
    name: 'a claim forgets the token that it finds in the queue, in SQL',
    edits: [
      { name: '_take_known', from: '(f.left_behind).token is not null', to: 'false' },
      { name: '_take_next', from: 'c.token is not null', to: 'false' },
      { name: '_free_in_order', from: 'or k.token is not null', to: '' },
    ],
    caught: [
      'the token of a record that was put back by hand is remembered by a claim of its id',
      'the token of a record that was put back by hand is remembered by a claim of the next ones',
      'the token of a record that was put back by hand is remembered in a pool with versions',
    ],
  },
  {
    name: 'a newer version doesn’t wait for an older one, in SQL',
    edits: [{ name: '_arrive_in_order', from: 'o.is_newest and exists', to: 'false and exists' }],
    // That an older one which is free goes first is held by the taking as well.
    caught: ['one in review holds the newer version until a person has decided'],
  },
  {
    name: 'a newer version cancels one that was begun, in SQL',
    edits: [{ name: '_arrive_in_order', from: "l.state = 'queued' and l.attempt = 0", to: "l.state = 'queued'" }],
    caught: ['a newer version waits for one that failed for a while, and the older is worked first'],
  },
  {
    name: 'a newer version is never let in, in SQL',
    edits: [{ name: '_free_next', from: 'set waits = false', to: 'set waits = true' }],
    caught: ['a newer version waits for the verdict of one that is claimed: no two of an id are worked at once (G4)'],
  },
  {
    name: 'two arrivals of one id don’t see each other',
    edits: [
      {
        name: '_take_turn_to_arrive',
        from: 'case when names_versions then pg_try_advisory_xact_lock(hashtextextended(settings.pool, 7236816))',
        to: 'case when names_versions then true',
      },
      {
        name: '_arrive_in_order',
        from: "nextval('leasehold.records_no_seq') as no\n      from unnest(unknown) u (place)",
        to: "nextval('leasehold.records_no_seq') as no\n      from unnest(unknown) u (place), pg_sleep(0.05)",
      },
    ],
    caught: ['two versions of an id that arrive at once: one of them is the newer, and only that is worked'],
  },
  {
    name: 'a person’s requeue waits for no other version, in SQL',
    edits: [{ name: '_requeue_by_person', from: 'r.waits := exists', to: 'r.waits := false and exists' }],
    caught: [
      'an older version that a person requeues waits while the newer is claimed, and while that is in review (G4)',
    ],
  },
  {
    name: 'the newer waits for no version that a person requeues, in SQL',
    edits: [
      { name: '_requeue_by_person', from: 'set waits = true', to: 'set waits = false' },
      { name: '_take_next', from: 'not is_versioned or', to: 'true or' },
      { name: '_comes_later', from: 'return exists', to: 'return false and exists' },
    ],
    caught: ['an older version that a person requeues is worked first, and the newer waits for it (G4)'],
  },
  {
    name: 'two versions that were made free by hand go together, in SQL',
    edits: [
      { name: '_take_next', from: 'not is_versioned or', to: 'true or' },
      { name: '_comes_later', from: 'return exists', to: 'return false and exists' },
    ],
    caught: ['of two versions that a person has made free by hand only one is handed out at a time'],
  },
  {
    name: 'a claim that goes on gets a second version of an id, in SQL',
    edits: [{ name: '_has_other_version', from: 'return exists', to: 'return false and exists' }],
    caught: ['a claim that goes on gets no second version of an id: its verdicts name none'],
  },
  {
    name: 'a record that kills its worker goes with others, in SQL',
    edits: [
      { name: '_take_next', from: 'c.idle_requeues < 2 and f.idle_requeues < 2', to: 'true' },
      { name: '_look_at_offers', from: 'r.idle_requeues >= 2', to: 'r.idle_requeues >= 99' },
    ],
    caught: [
      'a record that cost two claims is handed out by itself, so that it takes no neighbour along (C97)',
      'offered by id, such a record is given first and alone, or not at all',
    ],
  },
  {
    name: 'a claim is given what its provider may have forgotten by its end, in SQL',
    edits: ['_take_offered', 'claim_next_records'].map((name) => ({
      name,
      from: 'last_send := leasehold._last_send(claim, settings, now_at);',
      to: 'last_send := now_at;',
    })),
    caught: [
      'no claim that begins all at once is given what it might send after its provider has forgotten it (G5)',
      'what a claim is too long for stays queued, and tells nothing, however often it is asked for',
    ],
  },
  {
    name: 'a claim is never full, in SQL',
    edits: [{ name: '_look_at_offers', from: 'limit rows_max', to: 'limit 10000' }],
    caught: ['a claim gets no more than its limit: the rest is refused without a look, and not made known'],
  },
  {
    name: 'a lost lock may claim, in SQL',
    edits: [
      { name: 'claim_records', from: 'if claim.lock is null then', to: 'if false then' },
      { name: 'claim_next_records', from: 'if claim.lock is null then', to: 'if false then' },
    ],
    caught: ['a run that lost its lock claims nothing, makes nothing known and settles nothing (G3)'],
  },
  {
    name: 'a claim asked again after its lease takes anew, in SQL',
    edits: [
      { name: 'claim_records', from: 'if claim.lease_until <= leasehold._now() then', to: 'if false then' },
      {
        name: '_take_more',
        from: 'if claim.settled_at is not null or claim.lease_until <= leasehold._now() then',
        to: 'if false then',
      },
    ],
    caught: ['a continued claim whose lease is over takes nothing'],
  },
  {
    name: 'a pause is ignored by claims, in SQL',
    edits: [
      { name: 'claim_records', from: 'if settings.paused_at is not null then', to: 'if false then' },
      { name: 'claim_next_records', from: 'if settings.paused_at is not null then', to: 'if false then' },
    ],
    caught: ['a paused pool hands nothing out, makes nothing known and says so, until it is resumed'],
  },
];

/** What becomes of expired claims, and of what nobody knows. */
const SETTLING: readonly PostgresMutation[] = [
  {
    name: 'work that was begun is requeued as if it never was, in SQL',
    edits: [
      {
        name: '_settle_record',
        from: 'if not r.is_begun and r.unknown_at is null then',
        to: 'if r.unknown_at is null then',
      },
    ],
    caught: ['a begun record of a pool that asks goes to review where nobody can be asked (G5)'],
  },
  {
    name: 'attempts are never used up, in SQL',
    edits: [
      {
        name: '_settle_record',
        from: 'if r.attempt - r.attempts_forgiven >= settings.attempts then',
        to: 'if false then',
      },
      { name: '_decide_verdict', from: "when r.attempt - r.attempts_forgiven >= attempts then 'spent'", to: '' },
    ],
    caught: [
      'the last attempt that fails ends in review, not in a loop: its neighbours are worked once (C97)',
      'the last attempt of a pool that repeats ends in review',
    ],
  },
  {
    name: 'claims leave what expired to others, in SQL',
    edits: [
      {
        name: 'claim_next_records',
        from: 'settled := leasehold._settle(settings, 1000);',
        to: 'settled := array[0, 0, 0];',
      },
    ],
    caught: [
      'a claim of the next ones settles what expired before it, and takes that too (C67, C69)',
      'claims of a worker that died are settled by age of each, within the next claim (C67, C69)',
    ],
  },
  {
    name: 'an answer applies to whatever the record is now, in SQL',
    edits: [
      {
        name: 'apply_lookup',
        from: "return row('overtaken', r.state)::leasehold.lookup_outcome;",
        to: 'now_at := now_at;',
      },
    ],
    caught: [
      'an answer doesn’t apply to a record that has changed since it was asked about',
      'an answer asked for by an attempt before doesn’t apply to a later one',
    ],
  },
  {
    name: 'what was begun is given back, in SQL',
    edits: [
      {
        name: 'return_unworked',
        from: 'not r.is_begun or not claim.explicit_begin and ids is not null',
        to: 'true',
      },
    ],
    caught: [
      'what was never begun goes back to the queue at once, and is told; what was begun stays',
      'of a claim that began all at once only those named go back, as never begun',
    ],
  },
  {
    name: 'a claim is extended after its lease, in SQL',
    edits: [{ name: 'extend', from: "when claim.lease_until <= now_at then 'expired'", to: '' }],
    caught: ['an extension after the lease is over is lost, even if nobody took the records'],
  },
  {
    name: 'a sender that nobody heard of is taken to have stopped, in SQL',
    edits: [{ name: 'take_to_ask', from: 'case when is_said then r.unknown_at end', to: 'r.unknown_at' }],
    caught: ['asked for because its provider may no longer know it, nobody is taken to have stopped sending it (G5)'],
  },
  {
    name: 'a requeue is no event, in SQL',
    edits: [{ name: '_requeue', from: "'record.requeued', 'info'", to: "'lease.lost', 'info'" }],
    caught: ['a record that was never begun is queued when its claim expires, and told'],
  },
];

export const POSTGRES_RECORD_MUTATIONS: readonly PostgresMutation[] = [
  ...WORDS,
  ...POSTGRES_DECIDED_EVIDENCE_MUTATIONS,
  ...POSTGRES_SHARED_CLAIM_MUTATIONS,
  ...POSTGRES_QUEUED_MUTATIONS,
  ...CLAIMS,
  ...SETTLING,
];
