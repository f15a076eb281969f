import type { LockState } from '../../src/domain/lock-state.ts';

/** The columns of the table `locks`, the same in both engines, with the values for them. */
export function columnsOf(state: Partial<LockState>): [column: string, value: string | number | null][] {
  return Object.entries(state).map(([key, value]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
}
