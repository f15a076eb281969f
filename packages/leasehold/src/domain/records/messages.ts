import { formatDuration } from '../duration.ts';
import { known, shellWord } from '../messages.ts';
import type { BeginRefusal, ClaimAnswer, ExtendAnswer, RecordState, Verdict, VerdictRefusal } from './record.ts';

/**
 * What is said of records, claims and verdicts. PostgreSQL says the same (`_message_*`), and the conformance suite compares
 * them. Events say what answers say, where both tell the same. No token and no payload ever stands in one. What is said of
 * why a record went back or needs a person is in reasons.ts, of pools in pool-messages.ts.
 */

const iso = (instant: number): string => new Date(instant).toISOString();

export const countOf = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

/** `version` null where it isn't known; the empty one goes without saying. */
export function recordName(
  pool: string,
  { id, version }: { readonly id: string; readonly version: string | null },
): string {
  const of = version === null || version === '' ? '' : ` (version "${version}")`;
  return `record "${id}"${of} of pool "${pool}"`;
}

/** What a claim came to: `owned` and `offered` are counts, `offered` null for a claim of the next ones. */
export function claimMessage(
  outcome: ClaimAnswer['outcome'],
  claim: { readonly pool: string; readonly claimId: string },
  came: {
    readonly owned: number;
    readonly offered: number | null;
    readonly leaseUntil: number | null;
    readonly isRepeat: boolean;
  },
): string {
  const pool = `pool "${claim.pool}"`;
  switch (outcome) {
    case 'paused':
      return `Claimed nothing of ${pool}: it is paused; to go on: leasehold resume --pool ${shellWord(claim.pool)}`;
    case 'lock_lost':
      return `Claimed nothing of ${pool}: the lock that the claim names is no longer held by that token; stop.`;
    case 'claim_ended':
      return `Claimed nothing of ${pool}: claim ${claim.claimId} had its records and its lease is over; a new claim needs a new claim id.`;
    case 'claimed':
      return claimedMessage(pool, claim.claimId, came);
  }
}

function claimedMessage(
  pool: string,
  claimId: string,
  { owned, offered, leaseUntil, isRepeat }: Parameters<typeof claimMessage>[2],
): string {
  const until = leaseUntil === null ? '' : `, until ${iso(leaseUntil)}`;
  if (isRepeat) return `Claim ${claimId} of ${pool} has ${countOf(owned)}${until}: the same claim asked again.`;
  if (offered === null) {
    return owned === 0
      ? `Claimed nothing of ${pool}: no record of its queue may be had now.`
      : `Claimed ${countOf(owned)} of ${pool}${until}.`;
  }
  return owned === 0
    ? `Claimed none of ${countOf(offered)} offered to ${pool}; each has its reason.`
    : `Claimed ${owned} of ${countOf(offered)} offered to ${pool}${until}.`;
}

export function begunMessage(name: string, attempt: number): string {
  return `Began attempt ${attempt} of ${name}.`;
}

/** `remainingMs` of its claim's lease, and how long a call to the provider may take. Also the words of the event. */
export function beginRefusedMessage(
  name: string,
  reason: Exclude<BeginRefusal, 'invalid'>,
  { remainingMs, callTimeoutMs }: { readonly remainingMs: number; readonly callTimeoutMs: number },
): string {
  const refused = `Refused to begin ${name}`;
  switch (reason) {
    case 'lease_over':
      return remainingMs <= 0
        ? `${refused}: the lease of its claim is over; send nothing.`
        : `${refused}: its claim has ${formatDuration(remainingMs)} left and a call to the provider may take ${formatDuration(callTimeoutMs)}; extend the claim first.`;
    case 'not_claimed':
      return `${refused}: it has its verdict, or waits for its provider's answer; send nothing.`;
    case 'send_before':
      return `${refused}: its provider may no longer know it again, so it has to be asked first; send nothing.`;
    case 'not_owner':
      return `${refused}: this token does not own it; send nothing.`;
    case 'unknown_record':
      return `${refused}: there is no such record; check its id and its pool.`;
  }
}

/** Of a verdict that counts: where the record stands now. `why` with `review`, from `notBefore` on with `queued`. */
export function verdictAcceptedMessage(
  name: string,
  came: {
    readonly state: RecordState;
    readonly providerRef: string | null;
    readonly notBefore: number | null;
    readonly why: string | null;
  },
): string {
  const Name = capital(name);
  switch (came.state) {
    case 'done':
      return came.providerRef === null
        ? `${Name} is done.`
        : `${Name} is done (provider reference ${came.providerRef}).`;
    case 'failed':
      return `${Name} has failed.`;
    case 'queued':
      return `${Name} is tried again, not before ${iso(came.notBefore ?? 0)}.`;
    case 'claimed':
      return `${Name} stays claimed: its outcome is unknown, and the next sweep settles it.`;
    case 'review':
      return came.why === null ? `${Name} is in review.` : `${Name} is in review: ${came.why}.`;
    case 'cancelled':
      return `${Name} is cancelled.`;
  }
}

/** `verdict` is the one that is refused, `given` the one that counts. Also the words of the event. */
export function verdictRefusedMessage(
  name: string,
  reason: Exclude<VerdictRefusal, 'invalid' | 'settled'>,
  { verdict, given }: { readonly verdict: Verdict; readonly given: string | null },
): string {
  const refused = `Refused ${verdict} for ${name}`;
  switch (reason) {
    case 'not_owner':
      return `${refused}: this token does not own it.`;
    case 'other_verdict':
      return `${refused}: its verdict was ${given ?? 'another one'}.`;
    case 'unknown_record':
      return `${refused}: there is no such record; check its id and its pool.`;
  }
}

/** Of an owner that had said nothing when the record was settled: where it stands, and what came too late. Also the words of the event. */
export function verdictLateMessage(
  name: string,
  { verdict, error }: { readonly verdict: Verdict; readonly error: string | null },
  { state, since }: { readonly state: RecordState; readonly since: number },
): string {
  const stands = state === 'review' ? 'in review' : state;
  const said = error === null ? '' : ` (${error})`;
  return `Refused ${verdict} for ${name}: it is ${stands} since ${iso(since)}, before this was said${said}.`;
}

/** A `done` of a former owner, or after another verdict. `doubled`: the provider references that differ. Also the words of the event. */
export function evidenceMessage(name: string, state: RecordState): string {
  return state === 'review'
    ? `Kept as evidence that ${name} is done; another claim has begun it, so it is in review until that one has its verdict.`
    : `Kept as evidence: ${name} is done.`;
}

/** The words of `effect.doubled`, and of the answer that found it. */
export function effectDoubledMessage(name: string, kept: string, other: string): string {
  return `${capital(name)} took effect twice: its provider references are ${kept} and ${other}; see which one has to be undone.`;
}

/** `claimId` null for a token that no claim of the pool has; `leaseUntil` of the claim. */
export function extendMessage(
  claim: { readonly pool: string; readonly claimId: string | null; readonly leaseUntil: number | null },
  reason: ExtendAnswer['reason'],
  now: number,
): string {
  const name = `claim ${known(claim.claimId)} of pool "${claim.pool}"`;
  switch (reason) {
    case null:
      return `Extended ${name} until ${iso(claim.leaseUntil ?? now)}.`;
    case 'expired':
      return `Lost ${name}: its lease ended ${formatDuration(now - (claim.leaseUntil ?? now))} ago; begin nothing more.`;
    case 'settled':
      return `Lost ${name}: each of its records has its verdict or went back.`;
    case 'unknown_token':
      return `Lost the claim: no claim of pool "${claim.pool}" has this token; check the pool and the token.`;
  }
}

/** `returned` and `kept` are counts; `claimId` null for a token that no claim of the pool has. */
export function returnMessage(pool: string, claimId: string | null, returned: number, kept: number): string {
  if (claimId === null)
    return `Gave nothing back: no claim of pool "${pool}" has this token; check the pool and the token.`;
  const rest = kept === 0 ? '' : `; it keeps ${countOf(kept)}, which only a verdict settles`;
  return `Gave ${countOf(returned)} of claim ${claimId} back to pool "${pool}"${rest}.`;
}

/** What the `clock.fault` event says of a claim's lease that was drawn in. */
export function claimClockFaultMessage(pool: string, claimId: string, endedAt: number, leaseUntil: number): string {
  return `The lease of claim ${claimId} of pool "${pool}" was to end at ${iso(endedAt)}, further away than its whole length: a clock was ahead. It ends at ${iso(leaseUntil)}.`;
}

/** As a sentence begins. */
export function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
