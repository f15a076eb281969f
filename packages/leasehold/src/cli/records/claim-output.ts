import type { Claim } from '../../engine/records/claim-api.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import { handOut } from '../hand-out.ts';
import { namingStore, oneLine } from '../failure.ts';
import type { Session } from '../session.ts';
import { messageWith, nextSteps, ownedTable, refusedLines, settledText } from './claim-text.ts';
import { claimJson, refusedJson } from './json.ts';
import type { Offering } from './offering.ts';

/** A claim's answer on its way out. */
export interface ClaimOutput {
  readonly host: CommandHost;
  readonly session: Session;
  readonly answer: Claim;
  /** Null for a claim of the next ones. */
  readonly offering: Offering | null;
  readonly isExplicit: boolean;
}

/** Objects of the rest. */
const WRITTEN_AT_ONCE = 1_000;

/** Null once somebody can read it, else why nobody can. */
export async function handOutClaim(output: ClaimOutput): Promise<string | null> {
  return output.session.isJson ? await handOutJson(output) : await handOutText(output);
}

/** One object on one line. What the claim did not read follows piece by piece into its `refused`. */
async function handOutJson({ host, answer, offering }: ClaimOutput): Promise<string | null> {
  const [before, after] = claimJson(answer);
  let unread = 0;
  let isFirst = answer.refused.length === 0;
  let text = before;
  for await (const pieces of restOf(answer, offering)) {
    const lost = await handOut(host, `${text}${isFirst ? '' : ','}${pieces.join(',')}`);
    if (lost !== null) return lost;
    unread += pieces.length;
    isFirst = false;
    text = '';
  }
  return await handOut(host, `${text}${after(messageWith(answer, unread))}\n`);
}

async function* restOf({ owned }: Claim, offering: Offering | null): AsyncGenerator<string[]> {
  let pieces: string[] = [];
  for await (const { id, version } of offering?.rest(owned) ?? []) {
    pieces.push(refusedJson({ id, version, why: 'over_limit', by: null, since: null }));
    if (pieces.length < WRITTEN_AT_ONCE) continue;
    yield pieces;
    pieces = [];
  }
  if (pieces.length > 0) yield pieces;
}

async function handOutText({ host, session, answer, offering, isExplicit }: ClaimOutput): Promise<string | null> {
  const { pool, owned, refused, settled } = answer;
  let unread = 0;
  for await (const _each of offering?.rest(owned) ?? []) unread += 1;
  const said = messageWith(answer, unread);
  if (owned.length === 0) await session.say(said);
  else {
    const message = namingStore(oneLine(said), session.leasehold.store);
    const lost = await handOut(host, `${[message, ownedTable(owned), ...nextSteps(answer, isExplicit)].join('\n')}\n`);
    if (lost !== null) return lost;
  }
  const told = settledText(settled);
  if (told !== null) await session.say(told);
  for (const line of refusedLines(pool, refused, unread)) await session.say(line);
  return null;
}
