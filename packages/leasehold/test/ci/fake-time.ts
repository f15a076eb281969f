/** libfaketime (Debian's package `faketime`): the wall clock of a real process is another, and can be stepped under it. */
import { globSync, writeFileSync } from 'node:fs';

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

/** Why no process can be given another wall clock here; false if one can. Printed with the tests that are skipped. */
export const cannotFakeTime: string | false =
  LIBRARY === undefined ? 'libfaketime is not here (Debian: apt-get install faketime)' : false;

/**
 * The environment of a process whose wall clock is off by what the file says: `-10m`, `+1h`, `+1y`. The monotonic and the
 * boot-time clock stay right: those of a host whose wall clock somebody has set.
 */
export function fakedTime(file: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // PostgreSQL's processes come and go; a shared counter between them has no use and outlives them.
    FAKETIME_DISABLE_SHM: '1',
  };
}

/** Steps the clock of all processes that go by this file. */
export function setOffset(file: string, offset: string): void {
  writeFileSync(file, `${offset}\n`, { mode: 0o644 });
}
