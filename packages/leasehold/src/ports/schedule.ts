/**
 * When something is planned to start. A schedule knows calendar and time zone; which planned instant a
 * start belongs to is the domain's (`domain/slot.ts`).
 *
 * Identity: a planned instant by its slot. Where the hour is fixed that is local wall time, so that both
 * passes through a repeated hour give the same slot; where the hour is a wildcard it is the instant.
 * Clock: none. All instants are given.
 */
export interface Schedule {
  /** As it was given, with single blanks. */
  readonly expression: string;
  /** IANA name. */
  readonly timezone: string;
  /** The first planned instant after `at`. Whole seconds, as all instants here. */
  next(at: Date): Date;
  /** The last planned instant at or before `at`. */
  latest(at: Date): Date;
  /** The planned instant that stands for this one: itself, or the same local time in the first pass of a repeated hour. */
  slotOf(planned: Date): Date;
  /** The slots after `after` and before `before`, oldest first; the newest `limit` of them, each once. */
  slotsBetween(after: Date, before: Date, limit: number): Date[];
}

/** A cron expression, and the IANA zone that it is read in; null for the zone of this process. */
export interface ScheduleSpec {
  readonly expression: string;
  readonly timezone: string | null;
}

/** Reads a schedule. Throws INVALID_ARGUMENT, saying what was expected, for one that can't be read or never fires. */
export type OpenSchedule = (spec: ScheduleSpec) => Promise<Schedule>;
