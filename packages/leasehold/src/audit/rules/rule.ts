import type { AdviceSample } from '../../domain/advise.ts';
import type { Replay } from '../advice/replay.ts';
import type { Subject } from '../collect/subjects.ts';
import type { History } from '../history/history.ts';
import type { SlotFacts } from '../history/slots.ts';
import type { Finding } from '../model/finding.ts';
import type { AuditedAdvice } from '../model/report.ts';
import type { PlannedStarts } from '../schedule/planned-starts.ts';

/** All that is known of one workflow, as every rule gets it. */
export interface RuleContext {
  readonly subject: Subject;
  readonly history: History;
  /** When it is started by itself; null where nothing tells. */
  readonly planned: PlannedStarts | null;
  /** Which start belongs to which slot; null where no schedule is known and the starts keep to none. */
  readonly slots: SlotFacts | null;
  /** The smallest gap between two starts: of the schedule, else of the slots; null where neither is known. */
  readonly gapMs: number | null;
  /** How long its runs took, those that crashed left out; null without any. */
  readonly sample: AdviceSample | null;
  readonly advice: AuditedAdvice;
  /** Its starts, played again with the advised lease; null without either. */
  readonly replayed: Replay | null;
  readonly nowMs: number;
  /** The zone that was given, for sources that name none; null where none was. */
  readonly timezone: string | null;
}

/** Judges one workflow. Pure. */
export type AuditRule = (context: RuleContext) => readonly Finding[];

/** Judges workflows beside one another: what it finds belongs to the workflow of this place in the list. Pure. */
export type SharedRule = (all: readonly RuleContext[]) => readonly { readonly at: number; readonly finding: Finding }[];
