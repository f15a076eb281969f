import type { Clock } from '../../ports/clock.ts';
import type { LeaseholdError } from '../../errors.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import type { SqlRow } from './driver.ts';
import { readInteger, readText } from './columns.ts';
import { unusable } from './errors.ts';
import type { Session } from './session.ts';

/**
 * The store's clock, the only one that leases are reckoned by.
 *
 * Within one boot it is the host's boot-time clock, which nobody can set and which goes on in
 * suspend: store time = wallBase + (boot time − bootBase). So a wall clock stepped by a person or by
 * NTP neither frees a lock nor freezes one. The bases are a row of the store, the same for all processes.
 *
 * At the first write of a new boot (another boot id, or boot time before its base, as after a virtual machine
 * went back to a snapshot) the clock is based anew on the wall clock. If that is behind where the store's
 * time had come to, leases would last too long: those are drawn in when they are next touched (locks.ts).
 *
 * A host that doesn't name its boots leaves only the wall clock, as it is. Where the store already has a base, a
 * process that can't see the boot (a container with a /proc of its own) is refused: its time would be another one than
 * everybody else's, and it would reclaim healthy leases. The other way round there is no such fault: the first process
 * that sees the boot bases the store's time on the wall clock that was used until then.
 * A crash between these writes leaves none of them: they belong to the transaction of the call.
 */

const sql = loadSqlBlocks(new URL('./sql/clock.sql', import.meta.url), ['clock_base', 'rebase_clock']);

/** How one boot continues the store's time; milliseconds. */
export interface ClockBase {
  readonly bootId: string;
  readonly wallBase: number;
  readonly bootBase: number;
}

/**
 * The store's time by this clock, and the base to write if `base` isn't one of this boot. Throws STORE_UNUSABLE
 * where the store has a base and this process knows of no boot.
 */
export function storeTime(
  base: ClockBase | null,
  clock: Clock,
  store: string,
): { readonly now: number; readonly rebased: ClockBase | null } {
  const { wallMs, bootMs } = clock.read();
  const { bootId } = clock;
  if (bootId === null) {
    if (base !== null) throw bootUnknownError(store);
    return { now: Math.floor(wallMs), rebased: null };
  }
  if (base !== null && base.bootId === bootId && bootMs >= base.bootBase) {
    return { now: Math.floor(base.wallBase + (bootMs - base.bootBase)), rebased: null };
  }
  const rebased = { bootId, wallBase: Math.floor(wallMs), bootBase: Math.floor(bootMs) };
  return { now: rebased.wallBase, rebased };
}

/** Now, for a call that only reads. */
export function readStoreTime(session: Session, clock: Clock, store: string): number {
  return storeTime(clockBase(session.get(sql.clock_base)), clock, store).now;
}

/** Now, for a call that writes; to be asked once the transaction has the write lock. Bases the clock anew where it must. */
export function keepStoreTime(session: Session, clock: Clock, store: string): number {
  const { now, rebased } = storeTime(clockBase(session.get(sql.clock_base)), clock, store);
  if (rebased === null) return now;
  session.run(sql.rebase_clock, {
    boot_id: rebased.bootId,
    wall_base: rebased.wallBase,
    boot_base: rebased.bootBase,
  });
  return now;
}

function bootUnknownError(store: string): LeaseholdError {
  return unusable(
    store,
    "its time is counted from the boot of its host, and this process can't see that boot (/proc/sys/kernel/random/boot_id). Give this container the whole of /proc (not subset=pid); on another host than the store's, name another file",
  );
}

function clockBase(row: SqlRow | undefined): ClockBase | null {
  if (row === undefined) return null;
  return {
    bootId: readText(row, 'boot_id'),
    wallBase: readInteger(row, 'wall_base'),
    bootBase: readInteger(row, 'boot_base'),
  };
}
