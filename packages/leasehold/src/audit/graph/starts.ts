import { MANUAL, RECORDLESS } from '../n8n-nodes/plain-types.ts';
import { plainType } from '../n8n-nodes/classify.ts';
import { isPolling } from '../readers/n8n-workflow/schedule.ts';
import { doing, type Flow } from './flow.ts';

export type StartKind =
  /** The clock. */
  | 'timed'
  /** The clock, and it brings records. */
  | 'poll'
  /** Somebody's event, which is the record: a webhook, a form, a message. */
  | 'event'
  | 'manual'
  /** Another workflow, an error. */
  | 'called';

const TIMED: ReadonlySet<string> = new Set(['scheduleTrigger', 'cron', 'interval']);

export function startKind(flow: Flow, at: number): StartKind | null {
  const node = flow.definition.nodes[at];
  if (node === undefined || doing(flow, at)?.does !== 'trigger') return null;
  const type = plainType(node);
  if (TIMED.has(type)) return 'timed';
  if (MANUAL.has(type)) return 'manual';
  if (RECORDLESS.has(type)) return 'called';
  return isPolling(node) ? 'poll' : 'event';
}

/** Triggers that start it without a person at the editor. */
export function startsByItself(flow: Flow): readonly number[] {
  return flow.triggers.filter((at) => startKind(flow, at) !== 'manual');
}
