/** When something is started by itself, as its host understands it. */
export interface FoundSchedule {
  /** Whose rules count: each host reads the same words in its own way. */
  readonly host: 'cron' | 'n8n' | 'make' | 'zapier' | 'given';
  /** `cron`, `interval`, `poll`, `mixed` …: one word for people. */
  readonly kind: string;
  /** Independent rules: each starts a run of its own, and two may start together. */
  readonly rules: readonly ScheduleRule[];
  /** IANA name; null where the source doesn't say. */
  readonly timezone: string | null;
  /** Sentences: what had to be taken for granted. */
  readonly assumes: readonly string[];
}

export interface ScheduleRule {
  /** As people read it: the cron words, `every 15 min`. Goes into the report's `expressions`. */
  readonly expression: string;
  /** What plans the instants; null where it can't be known before it runs (an expression of the platform). */
  readonly plan: RulePlan | null;
  /** Why it never fires or can't be read; null where it is good. */
  readonly fault: string | null;
  /** Where it stands: `{"node": …}`, `{"line": …}`. */
  readonly place: Readonly<Record<string, string | number>>;
}

export type RulePlan =
  /** Five fields, or six with seconds first, by the rules of the schedule's host. */
  | { readonly kind: 'cron'; readonly expression: string }
  /** Every nth unit that the host counts from the clock (n8n's filtered rules): a cron that is tried, and which ones count. */
  | {
      readonly kind: 'filtered-cron';
      readonly expression: string;
      readonly every: number;
      readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month';
    }
  /** From one start to the next, whatever the clock says. */
  | { readonly kind: 'interval'; readonly everyMs: number };
