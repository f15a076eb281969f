import type { AuditSink } from '../../model/sink.ts';

/** Ends what was put together from parts, some of which end in a question. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Of a part of a system that could not be looked at: told, and no success. */
export function tellLost(sink: AuditSink, path: string, reason: string): void {
  sink.unread(path, reason);
  sink.lost?.(path, reason);
}
