/** What takes several steps in a row to come up. */
import type { ClaimCommand, RecordCommand, SaidItem } from './commands.ts';
import type { Word } from './model/model-rows.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

const nextOnes: ClaimCommand = {
  do: 'claim',
  keys: null,
  limit: 10,
  leaseMs: MINUTE,
  isExplicit: true,
  repeats: null,
  isContinued: false,
  isOther: false,
};
const passing = (ms: number): RecordCommand => ({ do: 'pass', ms });

const say = (claimIndex: number, id_: string, word: Word, ref = 'ref-1'): RecordCommand => ({
  do: 'work',
  verdicts: [{ ...beginIt(id_), claim: claimIndex, word, ref: word === 'done' ? ref : null }],
  begins: [],
});

const asking: RecordCommand = {
  do: 'set',
  redo: 'ask',
  windowMs: null,
  attempts: 3,
  callTimeoutMs: 0,
  hasVerifier: true,
};
const sweepNow: RecordCommand = { do: 'ask', everyMs: 0 };
const absent = { do: 'lookup', asked: 0, kind: 'requeue', ref: null, inMs: HOUR } as const;
const beginIt = (id_: string): SaidItem => ({
  claim: 0,
  id: id_,
  word: 'done',
  ref: null,
  error: null,
  isByToken: false,
});

const beginBoth: RecordCommand = { do: 'work', verdicts: [], begins: [beginIt('a'), beginIt('b')] };
const sendBack: RecordCommand = { do: 'decide', id: 'a', version: null, action: 'requeue', ref: null };
const letFail: RecordCommand = { do: 'decide', id: 'a', version: null, action: 'fail', ref: null };
const askFor: RecordCommand = { do: 'decide', id: 'a', version: null, action: 'ask', ref: null };
const begunNext: ClaimCommand = { ...nextOnes, isExplicit: false };

/** A record that may be sent again for an hour. */
const mayBeSent: readonly RecordCommand[] = [
  asking,
  { ...begunNext, keys: [{ id: 'a', version: '' }] },
  passing(MINUTE),
  sweepNow,
  absent,
];

/** Of two owners of one record the earlier one does it, too late. */
const lateDone: readonly RecordCommand[] = [
  { ...asking, redo: 'safe' },
  { ...begunNext, keys: [{ id: 'a', version: '' }] },
  passing(MINUTE),
  begunNext,
  say(1, 'a', 'done'),
];

/** What takes several steps in a row to come up, and seldom would by chance. */
export const STORIES: readonly (readonly RecordCommand[])[] = [
  // Claims that die before they begin: from the second on their record goes alone.
  [nextOnes, passing(MINUTE)],
  [nextOnes, passing(MINUTE), nextOnes, passing(MINUTE), nextOnes, passing(MINUTE)],
  // A worker that dies after it began, and whose provider is asked.
  [asking, begunNext, passing(MINUTE), sweepNow],
  // The same, and what may be sent again for a while is begun too late, or not even handed out.
  [asking, begunNext, passing(MINUTE), sweepNow, absent],
  [{ ...nextOnes, leaseMs: HOUR }, passing(MINUTE), { do: 'extend', claim: 0, leaseMs: HOUR, isByToken: false }],
  [...mayBeSent, { ...nextOnes, leaseMs: 3 * HOUR }, passing(2 * HOUR), beginBoth],
  [...mayBeSent, { ...begunNext, leaseMs: 3 * HOUR }],
  [beginBoth],
  // A begin that a call to the provider might outlast.
  [{ ...asking, callTimeoutMs: MINUTE }, nextOnes, passing(1), beginBoth],
  [absent, passing(2 * HOUR), nextOnes],
  [asking, begunNext, passing(MINUTE), sweepNow, { ...absent, kind: 'review' }],
  [askFor, sweepNow],
  // A person sends back what its owner could not do.
  [say(0, 'a', 'review'), sendBack],
  // A late done, while another works the record; a person decides against it, and it is done once more.
  lateDone,
  [...lateDone, sendBack, begunNext, say(0, 'a', 'done', 'ref-2')],
  [...lateDone, sendBack, say(0, 'a', 'done', 'ref-2')],
  [...lateDone, { do: 'decide', id: 'a', version: null, action: 'done', ref: 'ref-2' }],
  [...lateDone, letFail, say(0, 'a', 'done', 'ref-2')],
  [...lateDone, asking, askFor, sweepNow, { ...absent, kind: 'done', ref: 'ref-2' }],
  // An owner that speaks again and again of what was settled without it.
  [
    { ...asking, hasVerifier: false },
    begunNext,
    passing(MINUTE),
    { do: 'settle' },
    say(0, 'a', 'failed'),
    say(0, 'a', 'failed'),
    say(0, 'a', 'review'),
  ],
  // A process that ended while its claim had begun something.
  [asking, nextOnes, beginBoth, { do: 'ended', claim: 0 }, passing(MINUTE), sweepNow],
  // A newer version before anybody has begun the older one.
  [
    { do: 'enqueue', keys: [{ id: 'b', version: '' }], inMs: null },
    { do: 'enqueue', keys: [{ id: 'b', version: '2' }], inMs: null },
    { ...nextOnes, keys: [{ id: 'b', version: '' }] },
  ],
];
