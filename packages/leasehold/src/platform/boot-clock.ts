import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/**
 * The boot-time clock: counts from this host's boot, goes on in suspend, is never set. All processes
 * of a host must read the same value, because the embedded store reckons leases by it.
 *
 * Linux tells the boot by an id and the time since in `/proc/uptime` (10 ms steps), which `uptime`
 * reads. Two things can bend it for one container and not for its neighbour, and are bent back here:
 * - a time namespace, by the offset that `/proc/self/timens_offsets` states;
 * - lxcfs, which mounts a file of its own over `/proc/uptime`. Then the monotonic clock is taken: on
 *   a host that was never suspended both are the same.
 *
 * Without a boot id nothing says when a boot began, so there is no boot-time clock: `null`.
 */
export interface BootClock {
  readonly bootId: string;
  /** Milliseconds since that boot; `monotonicMs` and `wallMs` are this moment on the clocks of those names. */
  read(monotonicMs: number, wallMs: number): number;
}

/** Half a step of the clock itself: for so long its last reading is as good as a new one, which takes the time of a small file. */
const FRESH_MS = 5;

/** The boot-time clock of this host; null where the system doesn't name its boots. Asked once, at start-up. */
export function readBootClock(): BootClock | null {
  const bootId = readText('/proc/sys/kernel/random/boot_id')?.trim();
  if (bootId === undefined || bootId === '') return null;
  const offsets = parseTimeOffsets(readText('/proc/self/timens_offsets') ?? '');
  const isOverlaid = hasMountOver('/proc/uptime', readText('/proc/self/mountinfo') ?? '');
  return {
    bootId,
    read: isOverlaid
      ? (monotonicMs: number): number => Math.round(monotonicMs - offsets.monotonicMs)
      : keepFresh(() => Math.round(uptime() * 1_000 - offsets.boottimeMs)),
  };
}

/**
 * Asks again once the other clocks have gone on: both, because the monotonic one stands still in suspend, which the wall
 * clock shows, and the wall clock may be set.
 */
export function keepFresh(ask: () => number): BootClock['read'] {
  let bootMs = 0;
  let askedAt = { monotonicMs: Number.NEGATIVE_INFINITY, wallMs: 0 };
  return (monotonicMs, wallMs) => {
    const sinceMs = Math.max(monotonicMs - askedAt.monotonicMs, Math.abs(wallMs - askedAt.wallMs));
    if (sinceMs >= FRESH_MS) {
      bootMs = ask();
      askedAt = { monotonicMs, wallMs };
    }
    return bootMs;
  };
}

/** How far a time namespace shifts the clocks of its processes: lines `monotonic 5 0` (seconds, nanoseconds). */
export function parseTimeOffsets(text: string): { readonly monotonicMs: number; readonly boottimeMs: number } {
  const offsetMs = (clock: string): number => {
    const match = new RegExp(`^${clock}\\s+(-?\\d+)\\s+(\\d+)`, 'm').exec(text);
    return match === null ? 0 : Number(match[1]) * 1_000 + Number(match[2]) / 1_000_000;
  };
  return { monotonicMs: offsetMs('monotonic'), boottimeMs: offsetMs('boottime') };
}

/** True where `mountinfo` (proc(5)) names a mount at exactly this place; its fifth field is the mount point. */
export function hasMountOver(place: string, mountinfo: string): boolean {
  return mountinfo.split('\n').some((line) => line.split(' ')[4] === place);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
