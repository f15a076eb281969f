/** Rows of histories, and the files that hold them. */
import { NOW } from './corpus.ts';

export interface Row {
  readonly id: string;
  readonly startMs: number;
  /** Null while it is open. */
  readonly endMs: number | null;
  readonly status?: string;
}

export const iso = (ms: number): string => new Date(ms).toISOString();

/** So many, so far apart, each so long, numbered from 0; unless it is said where they begin, the next would start now. */
export function rows(
  count: number,
  gapMs: number,
  tookMs: number,
  fromMs: number = NOW - count * gapMs,
): (Row & { endMs: number })[] {
  return Array.from({ length: count }, (_, at) => {
    const startMs = fromMs + at * gapMs;
    return { id: String(at), startMs, endMs: startMs + tookMs };
  });
}

export function ndjson(list: readonly Row[], workflow: string): string {
  return list
    .map(({ id, startMs, endMs, status }) => {
      const end = endMs === null ? null : iso(endMs);
      return `${JSON.stringify({ id, workflow, start: iso(startMs), end, ...(status === undefined ? {} : { status }) })}\n`;
    })
    .join('');
}

export function csv(list: readonly Row[], workflow: string, separator: string): string {
  const lines = list.map(({ id, startMs, endMs }) =>
    [id, `"${workflow}"`, iso(startMs), endMs === null ? '' : iso(endMs)].join(separator),
  );
  return `${[['Run ID', 'Workflow', 'Started', 'Finished'].join(separator), ...lines].join('\r\n')}\r\n`;
}

/** As n8n exports one. */
export function execution({ id, startMs, endMs }: Row, more: object = {}): object {
  return {
    id,
    finished: true,
    mode: 'trigger',
    status: 'success',
    startedAt: iso(startMs),
    stoppedAt: endMs === null ? null : iso(endMs),
    ...more,
  };
}

/** Where runs met lately, and will again. */
export const CRITICAL = ['overlap.observed critical', 'overlap.predicted critical'];
