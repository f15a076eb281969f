/** Programs whose lock lies in a store, so that it holds on every host. */
import { options } from './guard-options.ts';
import type { Guard, Reader } from './guards.ts';

export const leasehold: Reader = (words) => {
  const at = words.indexOf('run');
  const dashes = words.indexOf('--');
  if (at === -1) return null;
  const own = words.slice(at + 1, dashes === -1 ? undefined : dashes);
  const lease = own.indexOf('--lease');
  const joined = own.find((word) => word.startsWith('--lease='));
  const guard: Guard = {
    kind: 'leasehold',
    name: own.find((word) => !word.startsWith('-')) ?? '',
    lease: joined?.slice('--lease='.length) ?? (lease === -1 ? null : (own[lease + 1] ?? '')),
  };
  return { guard, words: dashes === -1 ? [] : words.slice(dashes + 1), shellText: null };
};

/** So long by default, in seconds: https://github.com/kvz/cronlock, `CRONLOCK_RELEASE`. */
const CRONLOCK_RELEASE_S = 86_400;

/**
 * kvz/cronlock: a lock in Redis by the MD5 of the command, or `CRONLOCK_KEY`. It never waits: where it is held it ends with
 * 200. The lock is kept for 40 s at least (`CRONLOCK_GRACE`), and after a crash for `CRONLOCK_RELEASE` seconds.
 */
export const cronlock: Reader = (words, _name, assignments) => {
  const valueOf = (name: string): string | undefined =>
    assignments.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  const seconds = Number(valueOf('CRONLOCK_RELEASE') ?? CRONLOCK_RELEASE_S);
  const guard: Guard = {
    kind: 'cronlock',
    key: valueOf('CRONLOCK_KEY') ?? null,
    releaseMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
  };
  return { guard, words: words.slice(1), shellText: null };
};

/**
 * `consul lock [options] PREFIX COMMAND…`: waits, with `-try 10s` for so long, and gives the words to a shell unless
 * `-shell=false`. With `-n 3` three may hold it, which is no lock.
 */
export const consul: Reader = (words) => {
  if (words[1] !== 'lock') return null;
  const { values, rest } = goOptions(words.slice(2));
  if (Number(values.get('n') ?? 1) > 1) return null;
  const [name = '', ...command] = rest;
  const busy = values.has('try') || values.has('timeout') ? 'wait-bounded' : 'wait';
  const isText = command.length === 1 && values.get('shell') !== 'false';
  return {
    guard: { kind: 'consul', busy, file: name, shared: null },
    words: isText ? [] : command,
    shellText: isText ? (command[0] ?? '') : null,
  };
};

/** `etcdctl lock NAME COMMAND…` waits, and can't do otherwise. */
export const etcdctl: Reader = (words) => {
  const at = words.indexOf('lock');
  if (at === -1 || words.slice(1, at).some((word) => !word.startsWith('-'))) return null;
  const { rest } = options(words.slice(at), ['--ttl']);
  const [name = '', ...command] = rest;
  return { guard: { kind: 'etcdctl', busy: 'wait', file: name, shared: null }, words: command, shellText: null };
};

const GO_SWITCHES = new Set(['pass-stdin', 'verbose', 'child-exit-code']);

/** Flags as Go's library reads them: one dash or two, `-n 3` or `-n=3`. */
function goOptions(words: readonly string[]): { values: ReadonlyMap<string, string>; rest: readonly string[] } {
  const values = new Map<string, string>();
  let at = 0;
  for (; at < words.length; at++) {
    const [, name, value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (name === undefined) break;
    if (value !== undefined) values.set(name, value);
    else if (GO_SWITCHES.has(name)) values.set(name, 'true');
    else values.set(name, words[++at] ?? '');
  }
  return { values, rest: words.slice(at) };
}
