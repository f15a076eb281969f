/**
 * What `doctor` finds: one line a check, or one for each thing that a check has found. Judgements are pure
 * functions of facts, in one file for each kind of facts: `doctor-host.ts`, `doctor-places.ts`,
 * `doctor-postgres.ts`, `doctor-sqlite.ts`, `doctor-locks.ts`, `doctor-records.ts`,
 * `doctor-alerts.ts`.
 *
 * - `ok`: as it should be; its message may say what is worth knowing.
 * - `warning`: it works, and will hurt some day.
 * - `problem`: it doesn't work, or not as promised. Exit 78.
 * - `unknown`: could not be looked at, and why.
 */
export type FindingResult = 'ok' | 'warning' | 'problem' | 'unknown';

/** One line of `doctor`. */
export interface Finding {
  /** The check, by a name that doesn't change. */
  readonly check: string;
  readonly result: FindingResult;
  /** What was seen and, unless it is ok, what to do. */
  readonly message: string;
}

export const ok = (check: string, message: string): Finding => ({ check, result: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, result: 'warning', message });
export const problem = (check: string, message: string): Finding => ({ check, result: 'problem', message });
export const unknown = (check: string, message: string): Finding => ({ check, result: 'unknown', message });
