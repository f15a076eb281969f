/** A step of a story as a sentence, in the product's words. */
import type { Step } from './story.ts';

type Words = Readonly<Record<string, string>>;

const CLAIM: Words = {
  owned: 'claims the record.',
  ask_first: 'asks for records; this one has to be asked for first (`ask_first`), and is flagged.',
  nothing: 'asks for records and gets none.',
};

const BEGIN: Words = {
  accepted: 'begins: accepted.',
  not_owner: 'begins: refused, `not_owner`.',
  not_claimed: 'begins: refused, `not_claimed`.',
  lease_over: 'begins: refused, `lease_over`.',
  send_before: 'begins: refused, `send_before`; the record is flagged.',
};

const VERDICT: Words = {
  accepted: 'accepted',
  refused: 'refused, `not_owner`',
  evidence: 'evidence',
  known: 'known already',
  done_by_evidence: 'accepted, and the record is done by the evidence',
};

const LOOK_UP: Words = {
  found: 'looks the effect up: found.',
  absent: 'looks the effect up: absent.',
  unknown: 'looks the effect up: no answer.',
  pending: 'looks the effect up: pending.',
};

const APPLY: Words = {
  overtaken: 'applies the answer: overtaken, nothing is done.',
  found: 'applies the answer: done.',
  review: 'applies the answer: to review.',
  wait: 'applies the answer: too early to say, ask again later.',
  requeue: 'applies the answer: nothing was sent.',
  'requeue-before': 'applies the answer: nothing was sent, and the provider still knows the key (`sendBefore`).',
};

const WORKER: Words = {
  send: 'calls the provider.',
  'time-out': 'gives up waiting for the provider’s answer.',
  'failed-for-good': 'says “failed”, permanently.',
  'give-up': 'finds itself too late to send, and drops the record.',
  'tries-again': 'tries again by itself, with the token that it has.',
  'lost-answer': 'never hears the store’s answer.',
  crash: 'crashes.',
  write: 'writes to the guarded resource',
};

const AFTER: Words = { queued: 'The record is queued again.', review: 'The record is in review.' };

/** Null for a step that needs none. */
export function sentenceOf(step: Step): string | null {
  const { who, leads } = step;
  const said = saidOf(step);
  if (said === null) return null;
  const subject = /^[AB]$/.test(who) ? `**${who}**` : `The ${who === 'sweep 2' ? 'second sweep' : who}`;
  const [before, after] =
    leads === undefined ? ['', ''] : step.do === 'claim' ? [`${AFTER[leads]} `, ''] : ['', ` ${AFTER[leads]}`];
  return `${before}${said.startsWith('!') ? said.slice(1) : `${subject} ${said}`}${after}`;
}

function saidOf({ do: act, answer = '', about = '' }: Step): string | null {
  switch (act) {
    case 'tick':
      return null;
    case 'claim':
      return CLAIM[answer] ?? answer;
    case 'begin':
      return BEGIN[answer] ?? answer;
    case 'done':
    case 'failed':
    case 'unknown':
      return `says “${act}”: ${VERDICT[answer] ?? answer}.`;
    case 'answered':
      return answer === 'yes'
        ? 'hears from the provider: done.'
        : 'hears from the provider: turned down, nothing was done.';
    case 'extend':
      return 'extends its lease.';
    case 'return':
      return 'is told to end, gives the record back and goes; its call is not waited for.';
    case 'accept':
      return `carries out **${about}**’s call.`;
    case 'turn-down':
      return `turns **${about}**’s call down.`;
    case 'lose':
      return `never gets **${about}**’s call.`;
    case 'take':
      return 'takes the record to ask its provider.';
    case 'assume':
      return `doesn’t ask; it takes the effect for ${answer}.`;
    case 'holder-ended':
      return 'proves that the claim’s holder has ended.';
    case 'look-up':
      return LOOK_UP[answer] ?? answer;
    case 'apply':
      return APPLY[answer] ?? answer;
    default:
      return lockWords(act, answer, about) ?? WORKER[act] ?? act;
  }
}

function lockWords(act: string, answer: string, about: string): string | null {
  switch (act) {
    case 'acquire':
      return `acquires the lock: \`${answer}\`, fence ${about}.`;
    case 'renew':
      return `renews its lease: \`${answer}\`.`;
    case 'release':
      return `releases the lock: \`${answer}\`.`;
    case 'write':
      return `writes to the guarded resource with fence ${about}: ${answer}.`;
    case 'probe':
      return `!Somebody proves that **${about}** has ended.`;
    case 'evidence':
      return `!The proof is applied: ${answer}.`;
    default:
      return null;
  }
}
