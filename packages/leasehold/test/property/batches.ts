/** Batches of calls that are made at once. */
import fc from 'fast-check';
import { type CommandOptions, sequences } from './commands.ts';
import type { CallCommand, MoveCommand } from './model/world.ts';

export interface Batch {
  readonly calls: readonly CallCommand[];
  /** The first call is made twice at once, as one whose answer was lost. */
  readonly twin: boolean;
  /** What time does when all is quiet again. */
  readonly move: MoveCommand | null;
}

export const CALLS_AT_ONCE_MAX = 4;

export function batches(options: CommandOptions): fc.Arbitrary<Batch[]> {
  const commands = sequences({ ...options, lengthMax: CALLS_AT_ONCE_MAX + 1 });
  const batch = fc.record({ commands, twin: fc.nat({ max: 3 }).map((draw) => draw === 3) });
  return fc.array(
    batch.map(({ commands: all, twin }) => {
      const calls = all.filter((each): each is CallCommand => !('ms' in each || 'offMs' in each));
      const moves = all.filter((each): each is MoveCommand => 'ms' in each || 'offMs' in each);
      return { calls: calls.slice(0, twin ? CALLS_AT_ONCE_MAX - 1 : CALLS_AT_ONCE_MAX), twin, move: moves[0] ?? null };
    }),
    { maxLength: options.lengthMax, size: 'max' },
  );
}
