/**
 * What may happen to locks, as plain data, so that a counterexample can be read and shrinks well.
 * Which run or token is meant is a number counted back from the newest, modulo how many there are.
 */
import fc from 'fast-check';
import type { RunStatus } from '../../src/domain/run.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Whether the store's port takes what a probe said; then starts bring evidence, and `acquireOrProbe` is what is called. */
export const HAS_EVIDENCE: boolean = false;

export interface StartCommand {
  readonly do: 'start';
  readonly lock: number;
  /** Null: a new run; else the run id, and mostly the holder, of one before. */
  readonly repeats: number | null;
  readonly asAnother: boolean;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly onStale: 'reclaim' | 'hold';
  readonly waiting: boolean;
  /** A repeat keeps the slot of its first ask, unless it is `asAnother`. */
  readonly slot: number | null;
  readonly again: boolean;
  readonly bypass: boolean;
  readonly isProbed: boolean;
  readonly isExtendable: boolean;
  readonly canProbe: boolean;
  /** Null: none; `late`: of a lease that was renewed or taken since the probe was asked. */
  readonly evidence: { readonly state: 'alive' | 'ended' | 'unknown'; readonly late: 'end' | 'fence' | null } | null;
}

/** A call by token. */
interface TokenCommand {
  /** Null: a token that no lock ever gave. */
  readonly token: number | null;
  /** Presented to the other lock. */
  readonly elsewhere: boolean;
}

export interface RenewCommand extends TokenCommand {
  readonly do: 'renew';
  readonly leaseMs: number | null;
  readonly progress: string | null;
}

export interface ReleaseCommand extends TokenCommand {
  readonly do: 'release';
  readonly status: RunStatus | null;
  readonly afterMs: number;
}

export type Command =
  | StartCommand
  | RenewCommand
  | ReleaseCommand
  | { readonly do: 'force'; readonly lock: number; readonly atOnce: boolean }
  | { readonly do: 'pause' | 'resume'; readonly lock: number }
  | { readonly do: 'pass' | 'suspend' | 'stepWall' | 'restart'; readonly ms: number }
  /** Time passes until `offMs` after the next end of a lease, a drain or a pause. */
  | { readonly do: 'edge'; readonly lock: number; readonly offMs: number };

/** Which kinds of commands a sequence is made of. */
export interface CommandOptions {
  /** Clocks that are stepped, and hosts that restart with another one. */
  readonly oddClocks: boolean;
  /** Long sequences: a holder must be overtaken before it can come late. */
  readonly lengthMax: number;
}

const lock = fc.nat({ max: 3 }).map((draw) => (draw === 3 ? 1 : 0));
const rarely = (oneIn: number): fc.Arbitrary<boolean> => fc.nat({ max: oneIn - 1 }).map((draw) => draw === oneIn - 1);
const leaseMs = fc.constantFrom(5 * SECOND, 10 * SECOND, 30 * SECOND, 1 * SECOND);
const newest = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat({ max: 6 }) });
const token = fc.record({
  token: fc.oneof({ weight: 19, arbitrary: newest }, { weight: 1, arbitrary: fc.constant(null) }),
  elsewhere: rarely(12),
});

function starts(): fc.Arbitrary<StartCommand> {
  const never = fc.constant(false);
  const said = fc.record({
    state: fc.constantFrom('ended' as const, 'alive' as const, 'unknown' as const),
    late: fc.constantFrom(null, null, null, 'end' as const, 'fence' as const),
  });
  return fc.record({
    do: fc.constant('start' as const),
    lock,
    repeats: fc.option(fc.nat({ max: 6 }), { freq: 3 }),
    asAnother: rarely(4),
    leaseMs,
    graceMs: fc.constantFrom(0, 2 * SECOND, 20 * SECOND),
    onStale: fc.constantFrom('reclaim' as const, 'reclaim' as const, 'hold' as const),
    waiting: rarely(3),
    slot: fc.option(fc.nat({ max: 3 }), { freq: 3 }),
    again: rarely(6),
    bypass: rarely(12),
    isProbed: HAS_EVIDENCE ? fc.boolean() : never,
    isExtendable: HAS_EVIDENCE ? rarely(3).map((draw) => !draw) : never,
    canProbe: HAS_EVIDENCE ? fc.boolean() : never,
    evidence: HAS_EVIDENCE ? fc.option(said, { freq: 2 }) : fc.constant(null),
  });
}

/** A sequence of commands. */
export function sequences(options: CommandOptions): fc.Arbitrary<Command[]> {
  const renewal = fc.record({ leaseMs: fc.option(leaseMs), progress: fc.option(fc.constantFrom('half', 'all')) });
  const end = fc.record({
    status: fc.constantFrom<RunStatus | null>('success', 'success', 'failure', null),
    afterMs: fc.constantFrom(0, 0, 0, 15 * SECOND),
  });
  const passes = fc.constantFrom(1, SECOND - 1, SECOND, 5 * SECOND, 10 * SECOND, 20 * SECOND, HOUR);
  const steps = fc.constantFrom(-HOUR, -10 * MINUTE, -7 * SECOND, 7 * SECOND, HOUR, 365 * 24 * HOUR);
  const jumps = fc.constantFrom(0, -10 * MINUTE, -7 * SECOND, 7 * SECOND, 10 * MINUTE);
  const one = fc.oneof(
    { weight: 8, arbitrary: starts() },
    {
      weight: 4,
      arbitrary: fc.tuple(token, renewal).map(([by, rest]) => ({ do: 'renew' as const, ...by, ...rest })),
    },
    { weight: 4, arbitrary: fc.tuple(token, end).map(([by, rest]) => ({ do: 'release' as const, ...by, ...rest })) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('force' as const), lock, atOnce: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume', 'resume'), lock }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: passes }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('edge' as const), lock, offMs: fc.constantFrom(-1, 0, 0, 1) }),
    },
    { weight: options.oddClocks ? 1 : 0, arbitrary: fc.record({ do: fc.constant('suspend' as const), ms: passes }) },
    { weight: options.oddClocks ? 1 : 0, arbitrary: fc.record({ do: fc.constant('stepWall' as const), ms: steps }) },
    { weight: options.oddClocks ? 1 : 0, arbitrary: fc.record({ do: fc.constant('restart' as const), ms: jumps }) },
  );
  return fc.array(one, { maxLength: options.lengthMax, size: 'max' });
}
