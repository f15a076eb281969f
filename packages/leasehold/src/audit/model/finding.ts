/** The rules of the contract (design §9); `docs/audit.md` has a paragraph for each. */
export const RULES = [
  'overlap.observed',
  'overlap.predicted',
  'trigger.duplicate',
  'run.stuck',
  'slot.missed',
  'schedule.uneven',
  'schedule.never-fires',
  'schedule.dst',
  'history.incomplete',
  'history.clock',
  'window.read-to-write',
  'window.effect-before-mark',
  'window.no-status-write',
  'window.high-water-mark',
  'read.unbounded',
  'items.dropped',
  'pool.shared',
  'retry.not-idempotent',
  'guard.missing',
  'guard.fails-open',
  'lock.drops-events',
  'platform.switch-is-no-lock',
  'make.sequential-blocks',
  'make.data-loss',
  'cron.unlocked',
  'cron.lock-inherited',
] as const;

export type Rule = (typeof RULES)[number];
export type Severity = 'info' | 'warning' | 'critical';

/** One fact about one workflow. No secret, no payload and no e-mail address in any of its texts. */
export interface Finding {
  readonly rule: Rule;
  readonly severity: Severity;
  /** What is so, in one or two sentences, with its numbers. */
  readonly message: string;
  /** What it stands on: run ids, node names, line numbers. At most 20; a longer list says how many more there are in the message. */
  readonly evidence: readonly Evidence[];
  /** The change to make, as an order that can be followed: which node where, which words in which line. */
  readonly advice: string;
}

export type Evidence = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
