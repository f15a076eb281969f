import { formatDuration } from '../../domain/duration.ts';
import { shellWord } from '../../domain/messages.ts';
import { claimMessage } from '../../domain/records/messages.ts';
import type { SettledCounts } from '../../domain/records/record.ts';
import type { Claim, ClaimedRecord, RefusedOffer } from '../../engine/records/claim-api.ts';
import { formatTable } from '../output/table.ts';

/** What `claim` says to people: what they have, what to do with it, and what they did not get and why. */

/** Refused records that are named one by one; `--json` has them all. */
const NAMED_MAX = 20;
const PAYLOAD_CHARACTERS_MAX = 60;

export function ownedTable(owned: readonly ClaimedRecord[]): string {
  const hasPayload = owned.some(({ payloadText }) => payloadText !== null);
  const header = ['ID', 'VERSION', 'ATTEMPT', 'EFFECT KEY', ...(hasPayload ? ['PAYLOAD'] : [])];
  const rows = owned.map(({ id, version, attempt, effectKey, payloadText }) => [
    id,
    version === '' ? '-' : version,
    String(attempt),
    effectKey,
    ...(hasPayload ? [shortened(payloadText ?? '-')] : []),
  ]);
  return formatTable(header, rows);
}

function shortened(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= PAYLOAD_CHARACTERS_MAX) return text;
  return `${characters.slice(0, PAYLOAD_CHARACTERS_MAX - 1).join('')}…`;
}

/** Lines that can be typed as they stand, but for ID and REF. */
export function nextSteps({ pool, token, remainingMs }: Claim, isExplicit: boolean): string[] {
  const name = shellWord(pool);
  const leftMs = remainingMs ?? 0;
  const steps: (readonly [command: string, when: string])[] = [
    ...(isExplicit
      ? [[`leasehold begin ${name} ID`, 'before its provider is called; exit 77: send nothing'] as const]
      : []),
    [`leasehold verdict ${name} ID done --provider-ref REF`, 'after it; else failed, unknown or review'],
    [`leasehold extend ${name}`, `before ${formatDuration(leftMs)} are over, where that is too short`],
    isExplicit
      ? [`leasehold return ${name}`, 'at the end: what was not begun goes back']
      : [`leasehold return ${name} --ids ID,ID`, 'those that were not worked go back'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    'Next:',
    `  export LEASEHOLD_CLAIM_TOKEN=${token ?? ''}`,
    ...steps.map(([command, when]) => `  ${command.padEnd(width)}  # ${when}`),
  ];
}

/** One sentence for each that was refused, then how many more there are; `unread` of them the claim had no room for. */
export function refusedLines(pool: string, refused: readonly RefusedOffer[], unread: number): string[] {
  const full = unread + refused.filter(({ why }) => why === 'over_limit').length;
  const others = refused.filter(({ why }) => why !== 'over_limit');
  const unnamed = others.length - NAMED_MAX;
  return [
    ...others.slice(0, NAMED_MAX).map((each) => `Not given: ${nameOf(each)}: ${whyNot(pool, each)}.`),
    ...(unnamed > 0 ? [`Not given: ${unnamed} more, each with its reason; --json lists them.`] : []),
    ...(full > 0
      ? [`Not given: ${full} more, since the claim was full; offer them again once these have their verdicts.`]
      : []),
  ];
}

function nameOf({ id, version }: RefusedOffer): string {
  return version === '' ? `record "${id}"` : `record "${id}" (version "${version}")`;
}

function whyNot(pool: string, refused: RefusedOffer): string {
  if (refused.why === 'invalid') return refused.message.replace(/\.$/, '');
  const { why, by, since } = refused;
  const when = since === null ? '' : ` since ${since.toISOString()}`;
  switch (why) {
    case 'claimed':
      return `${by ?? 'somebody'} has it${when}`;
    case 'done':
      return `it is done${when}`;
    case 'failed':
      return `it has failed${when}; to try it again: leasehold review ${shellWord(pool)} ID requeue --reason TEXT`;
    case 'review':
      return `it is in review${when}; see: leasehold review ${shellWord(pool)}`;
    case 'cancelled':
      return `it is cancelled${when}: a newer version took its place, or a person decided so`;
    case 'earlier_version':
      return 'an earlier version of it waits for its verdict, or another one is being worked';
    case 'not_before':
      return `it waits${since === null ? '' : ` until ${since.toISOString()}`}`;
    case 'alone':
      return 'it has cost two claims already and is handed out by itself; claim it alone';
    case 'ask_first':
      return 'its provider has to be asked before it may be sent again, or forgets it before this claim ends';
    case 'not_taken':
      return 'it was not tried: the claim was asked for once more, and a repeat takes nothing, or it had waited for other calls too long';
    case 'over_limit':
      return 'the claim was full';
    case 'paused':
      return 'its pool is paused';
  }
}

/** What became of records of expired claims; null where there were none. */
export function settledText({ requeued, review, cancelled }: SettledCounts): string | null {
  if (requeued + review + cancelled === 0) return null;
  return `Of expired claims: ${requeued} queued again, ${review} in review, ${cancelled} cancelled.`;
}

/** The claim's message with the `unread` offers counted that it had no room for. */
export function messageWith(answer: Claim, unread: number): string {
  const { pool, claimId, owned, refused, leaseUntil, message } = answer;
  const offered = owned.length + refused.length;
  const came = { owned: owned.length, leaseUntil: leaseUntil?.getTime() ?? null, isRepeat: false };
  const said = (count: number): string => claimMessage('claimed', { pool, claimId }, { ...came, offered: count });
  // Of a repeat, a pause and the like another message stands, in which nothing is counted.
  return message === said(offered) ? said(offered + unread) : message;
}
