/** Guards of begins and verdicts taken out of the embedded engine: see mutations.ts. */
import type { Mutation } from './mutations.ts';

const VERDICT = 'domain/records/decide-verdict.ts';
const BEGIN = 'domain/records/decide-begin.ts';
const ENGINE = 'stores/sqlite/records';
const PLAIN = 'stores/sqlite/sql/record-plain-work.sql';

/** Begins and verdicts: whose word counts. */
export const RECORD_WORD_MUTATIONS: readonly Mutation[] = [
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
    name: 'what was said before is told again',
    edits: [
      { file: VERDICT, from: "return formerVerdict === 'done' && ", to: "return formerVerdict === 'review' && " },
    ],
    caught: [
      'a former owner’s done that is said again is told once',
      'an owner’s second reference is told once as well, and a third one again',
    ],
  },
  {
    name: 'the references of two former owners are not compared',
    edits: [
      {
        file: VERDICT,
        from: 'const isDoubled = differ(scene.providerRef, record.evidenceRef);',
        to: 'const isDoubled = false;',
      },
    ],
    caught: ['two former owners that name two references tell of two effects while a third works it: critical'],
  },
  {
    name: 'a failure before the work begins is not counted',
    edits: [{ file: VERDICT, from: 'const times = oneMore(idleRequeues);', to: 'const times = idleRequeues;' }],
    caught: [
      'a record that fails before its work begins waits longer each time, and is told as that',
      'a record that fails twice before its work begins goes alone, and later to review',
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
        from: 'if (!isWorked)',
        to: 'if (isWorked || !isWorked)',
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
    name: 'a plain begin and a plain verdict are taken from any token',
    edits: [{ file: `${ENGINE}/plain-work.ts`, from: ' || row[1] !== item.token', to: '' }],
    caught: [
      'a begin is refused to a token that the record doesn’t carry, and to one that it carried (G3)',
      'a verdict of a token that never had the record is refused, and told (G3)',
    ],
  },
  {
    name: 'words about one record are not taken in their order',
    edits: [{ file: `${ENGINE}/plain-work.ts`, from: '!twice.has(item.id) && isPlain(item)', to: 'isPlain(item)' }],
    caught: ['two words about one record in one call are taken in their order'],
  },
  {
    name: 'a plain begin needs no lease',
    edits: [
      {
        file: `${ENGINE}/plain-work.ts`,
        from: 'leavesRoom(leaseUntilOf(item) ?? now, rules.callTimeoutMs, now)',
        to: 'leaseUntilOf(item) !== null',
      },
    ],
    caught: ['a begin after the lease is over is refused, even if nobody took the record'],
  },
  {
    name: 'a plain verdict lets no newer version in',
    edits: [{ file: PLAIN, from: '+r.unknown_at is null and r.has_newer = 0', to: '+r.unknown_at is null' }],
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
