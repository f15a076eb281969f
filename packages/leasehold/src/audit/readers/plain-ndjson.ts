import type { HistoryRun } from '../model/run.ts';
import type { AuditSink } from '../model/sink.ts';
import type { ReadOptions } from './reading.ts';

/** One JSON object a line: `{"workflow","id","start","end","status","trigger"}`. */
export async function readNdjson(
  input: { readonly path: string; readonly bytes: AsyncIterable<Uint8Array> },
  sink: AuditSink,
  _options: ReadOptions,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  for await (const bytes of input.bytes) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) readLine(text, (line += 1), input.path, sink);
  }
  if (rest !== '') readLine(rest, line + 1, input.path, sink);
}

function readLine(text: string, line: number, path: string, sink: AuditSink): void {
  if (text.trim() === '') return;
  let row: Record<string, unknown>;
  try {
    row = JSON.parse(text) as Record<string, unknown>;
  } catch {
    sink.unread(`${path}:${line}`, 'Not JSON.');
    return;
  }
  const startedAtMs = instantOf(row['start']);
  const endedAtMs = instantOf(row['end']);
  const run: HistoryRun = {
    workflow: String(row['workflow'] ?? path),
    workflowName: null,
    runId: row['id'] === undefined ? `line ${line}` : String(row['id']),
    startedAtMs,
    endedAtMs,
    state: stateOf(row['status']),
    result: 'unknown',
    cause: (row['trigger'] as HistoryRun['cause'] | undefined) ?? 'unknown',
    retryOf: null,
    versionId: null,
    slotAtMs: null,
    isClockSuspect:
      (row['start'] !== undefined && startedAtMs === null) || (typeof row['end'] === 'string' && endedAtMs === null),
  };
  sink.run(run, path);
}

function stateOf(status: unknown): HistoryRun['state'] {
  return status === 'running' || status === 'waiting' || status === 'queued' ? status : 'ended';
}

function instantOf(value: unknown): number | null {
  const ms = typeof value === 'number' ? value : Date.parse(String(value ?? ''));
  return Number.isNaN(ms) ? null : ms;
}
