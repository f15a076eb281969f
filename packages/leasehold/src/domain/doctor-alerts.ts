import { type Finding, ok, unknown, warning } from './doctor.ts';
import { formatDuration } from './duration.ts';
import { shellWord } from './messages.ts';

/** What waits in the store to be delivered. */
export interface OutboxFacts {
  readonly pending: number;
  /** Given up after their last attempt. */
  readonly dead: number;
  readonly oldestPendingAt: Date | null;
  /** Those of the pending ones that an attempt has failed to deliver. */
  readonly failing: number;
  /** Why: what each channel said of the newest of them, after its name. */
  readonly lastError: string | null;
}

/** An alert that has waited for longer is not on its way. */
const WAIT_MS_MAX = 5 * 60_000;

/**
 * Whether alerts arrive. `outbox` is null where the store doesn't tell, `channels` are the names of those that are
 * configured here, null where they make no sense, which is a finding of its own. `nowMs` is the store's clock.
 */
export function judgeAlerts(outbox: OutboxFacts | null, channels: readonly string[] | null, nowMs: number): Finding[] {
  if (outbox === null) return [unknown('alerts', 'What is waiting to be delivered is not known.')];
  const failures = [...judgeDead(outbox), ...judgeFailing(outbox, channels)];
  return failures.length > 0 ? failures : [judgeWaiting(outbox, channels, nowMs)];
}

function judgeDead({ dead }: OutboxFacts): Finding[] {
  if (dead === 0) return [];
  const message = `${counted(dead)} given up, so nobody was told. See: leasehold events --kind alert.dead`;
  return [warning('alerts', message)];
}

/** A channel that fails has its name before what it said; one that isn't configured here has a place to be filled in. */
function judgeFailing({ failing, lastError }: OutboxFacts, channels: readonly string[] | null): Finding[] {
  if (failing === 0) return [];
  const said = lastError ?? 'unknown';
  const channel = channels?.find((name) => `; ${said}`.includes(`; ${name}: `));
  const command = `leasehold alert test ${channel === undefined ? 'NAME' : shellWord(channel)}`;
  return [warning('alerts', `${counted(failing)} waiting after an attempt that failed (${said}). See: ${command}`)];
}

function judgeWaiting(outbox: OutboxFacts, channels: readonly string[] | null, nowMs: number): Finding {
  const check = 'alerts';
  const { pending, oldestPendingAt } = outbox;
  if (pending > 0 && channels === null) {
    return warning(check, `${counted(pending)} waiting, and nothing is delivered from here until that is mended.`);
  }
  if (pending > 0 && channels?.length === 0) {
    return warning(
      check,
      `${counted(pending)} waiting, and no channel is configured here to deliver ${pending === 1 ? 'it' : 'them'} by: write "alerts" into a configuration file.`,
    );
  }
  const waitMs = oldestPendingAt === null ? 0 : nowMs - oldestPendingAt.getTime();
  if (pending > 0 && waitMs > WAIT_MS_MAX) {
    return warning(
      check,
      `${counted(pending)} waiting, the oldest for ${formatDuration(waitMs)}. Each call of the command line delivers for at most 2 s and nothing else does: keep leasehold work running.`,
    );
  }
  if (channels?.length === 0) {
    return ok(check, 'No channel is configured: what happens is recorded (leasehold events) and nobody is told.');
  }
  const to = channels === null ? '' : ` to ${channels.join(', ')}`;
  if (pending > 0) return ok(check, `${counted(pending)} on the way${to}.`);
  return ok(check, channels === null ? 'None is waiting.' : `None is waiting; they go${to}.`);
}

function counted(count: number): string {
  return count === 1 ? '1 alert is' : `${count} alerts are`;
}
