import type { OffTime } from '../../model/sink.ts';
import { historyBegin, type HistoryFound } from '../live/history-begin.ts';
import { readInstant } from '../live/instant.ts';
import { fromMs } from '../live/settings.ts';
import type { Row } from './database.ts';
import { fillQuery, type QueryName } from './fill-query.ts';
import type { DatabaseRequest } from './runs.ts';
import { hasActiveVersion } from './workflows.ts';
import { grouped } from '../../words.ts';

/** From here on the kept successes being none is no chance. */
const SUCCESSES_MIN = 10;
/** Times that a workflow was switched off, the newest ones; nobody reads more. */
const PAUSES_MAX = 5;
/** Publishing a new version may switch the old one off for a moment. */
const PAUSE_MS_MIN = 60_000;

/**
 * Says how complete the history is: what n8n itself has counted against what is still there, what it marked as deleted,
 * and when a workflow was switched off. A question that the database doesn't answer leaves its sentence out.
 */
export async function tellLimits(request: DatabaseRequest, found: HistoryFound): Promise<void> {
  const { sink, source, settings, tables } = request;
  const tell = (sentence: string): void => sink.limit(source, null, sentence);
  const begin = historyBegin(found, settings);
  if (begin !== null) tell(begin);
  if (hasActiveVersion(request) && !tables.columns.has('workflow_history')) {
    tell(
      'The table workflow_history may not be read: of each workflow the draft was audited, not the version that runs.',
    );
  }
  if (tables.columns.get('execution_entity')?.has('deletedAt') === true) {
    const count = Number((await rowsOf(request, 'deleted_runs'))[0]?.['count'] ?? 0);
    if (count > 0) tell(`Runs that are not to be kept, and have no end, were left out: ${grouped(count)}.`);
  }
  await tellCounts(request);
  await tellPauses(request);
}

async function tellCounts(request: DatabaseRequest): Promise<void> {
  if (!request.tables.columns.has('workflow_statistics') || !request.tables.columns.has('execution_entity')) return;
  const kept = new Map((await rowsOf(request, 'kept_runs')).map((row) => [String(row['workflowId']), row]));
  for (const counted of await rowsOf(request, 'counted_runs')) {
    const workflow = String(counted['workflowId']);
    const sentence = countsText(counted, kept.get(workflow));
    if (sentence !== null) request.sink.limit(request.source, workflow, sentence);
  }
}

/** `counted` is what n8n has counted since the workflow was made, `kept` what its history still has. */
function countsText(counted: Row, kept: Row | undefined): string | null {
  const [ended, succeeded] = [counted['ended'], counted['succeeded']].map(Number) as [number, number];
  const [endedKept, succeededKept] = [kept?.['ended'] ?? 0, kept?.['succeeded'] ?? 0].map(Number) as [number, number];
  if (succeededKept === 0 && succeeded >= SUCCESSES_MIN) {
    return `n8n has counted ${grouped(succeeded)} successful runs, and its history has none of them: it is set not to keep them, so overlaps can't be seen there.`;
  }
  if (endedKept >= ended) return null;
  return `n8n has counted ${grouped(ended)} ended runs outside the editor; its history still has ${grouped(endedKept)} of them.`;
}

async function tellPauses({ sink, source, settings, ...request }: DatabaseRequest): Promise<void> {
  if (!request.tables.columns.has('workflow_publish_history')) return;
  const events = await rowsOf({ sink, source, settings, ...request }, 'publications');
  for (const [workflow, newestFirst] of Map.groupBy(events, (row) => String(row['workflowId']))) {
    const times = offTimesOf(newestFirst, fromMs(settings));
    for (const time of times) sink.switchedOff?.(source, workflow, time);
    for (const time of times.slice(0, PAUSES_MAX)) sink.limit(source, workflow, offText(time));
  }
}

/** The times between being switched off and on again, newest first. */
function offTimesOf(newestFirst: readonly Row[], since: number): OffTime[] {
  const times: OffTime[] = [];
  let untilMs: number | null = null;
  for (const row of newestFirst) {
    const at = readInstant(row['at']).ms;
    if (at === null || (untilMs !== null && untilMs < since)) break;
    const isLong = untilMs === null || untilMs - at >= PAUSE_MS_MIN;
    if (row['event'] === 'deactivated' && isLong) times.push({ fromMs: at, untilMs });
    untilMs = at;
  }
  return times;
}

function offText({ fromMs: from, untilMs }: OffTime): string {
  const until = untilMs === null ? 'and is off still' : `and on again at ${new Date(untilMs).toISOString()}`;
  return `It was switched off at ${new Date(from).toISOString()} ${until}: no starts are to be expected then.`;
}

async function rowsOf({ database, tables }: DatabaseRequest, name: QueryName): Promise<readonly Row[]> {
  try {
    return await database.atOnce(() => database.query(fillQuery(name, database.dialect, tables), []));
  } catch {
    // Counting takes longer than may be, or the connection is gone, which whoever read the runs has said.
    return [];
  }
}
