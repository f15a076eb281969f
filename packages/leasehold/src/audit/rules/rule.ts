import type { Subject } from '../collect/subjects.ts';
import type { History } from '../history/history.ts';
import type { Finding } from '../model/finding.ts';
import type { AuditedAdvice, AuditedSchedule } from '../model/report.ts';

/** All that is known of one workflow, as every rule gets it. */
export interface RuleContext {
  readonly subject: Subject;
  readonly history: History;
  readonly schedule: AuditedSchedule | null;
  readonly advice: AuditedAdvice;
  readonly nowMs: number;
  /** The zone that was given, for sources that name none; null where none was. */
  readonly timezone: string | null;
}

/** Judges one workflow. Pure. */
export type AuditRule = (context: RuleContext) => readonly Finding[];

/** Judges workflows beside one another: what it finds belongs to the workflow of this place in the list. Pure. */
export type SharedRule = (all: readonly RuleContext[]) => readonly { readonly at: number; readonly finding: Finding }[];
