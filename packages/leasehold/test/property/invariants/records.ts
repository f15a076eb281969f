/** G2: one row a start, each thing that is to be told told once, and no end that changes. */
import assert from 'node:assert/strict';
import type { LeaseholdEvent } from '../../../src/domain/answers.ts';
import type { Run } from '../../../src/domain/run.ts';
import { type HistoryEntry, proceeds, type StartEntry } from '../history.ts';
import { startKey } from '../model/world.ts';

/** The asks of each start, oldest first; those that were only told to ask a probe first are none. */
export function startsOf(entries: readonly HistoryEntry[]): Map<string, StartEntry[]> {
  const asks = entries.filter((entry) => entry.call === 'start');
  return Map.groupBy(
    asks.filter(({ answer }) => answer['outcome'] !== 'probe_first'),
    startKey,
  );
}

/** The ask that decided what the row says: the first that proceeded, else the latest. */
function decidedBy(asks: readonly StartEntry[]): StartEntry | undefined {
  return asks.find(({ answer }) => proceeds(answer)) ?? asks.at(-1);
}

export function checkRows(entries: readonly HistoryEntry[], runs: readonly Run[]): void {
  const expected = [...startsOf(entries)].map(([key, asks]) => {
    const { outcome, reason = null } = decidedBy(asks)?.answer ?? {};
    return JSON.stringify([key, outcome, reason]);
  });
  const actual = runs.map((run) => JSON.stringify([startKey(run), run.outcome, run.reason]));
  assert.deepEqual(actual.toSorted(), expected.toSorted(), 'one row a start, with the one outcome it got');
}

/** The definition of `skipsInRow`: the starts skipped as `held` for good since the latest grant, each once. */
export function checkSkips(entries: readonly HistoryEntry[]): void {
  const counted = new Set<string>();
  const tokens = new Set<unknown>();
  let skips = 0;
  for (const entry of entries) {
    if (entry.call === 'start') {
      const { reason, token } = entry.answer;
      if (reason === 'held' && !entry.waiting && !counted.has(startKey(entry))) {
        counted.add(startKey(entry));
        skips += 1;
      }
      if (token !== undefined && !tokens.has(token)) skips = 0;
      tokens.add(token);
      if (entry.answer['outcome'] !== 'probe_first') assert.equal(entry.answer['skipsInRow'], skips, 'skips in a row');
    }
    if (entry.status !== null) assert.equal(entry.status['skipsInRow'], skips, 'skips in a row, by the status');
  }
}

export function checkEnds(entries: readonly HistoryEntry[]): void {
  let before: ReadonlyMap<string, string> = new Map();
  for (const { ends } of entries) {
    for (const [run, end] of before) {
      const [endedAt, status] = end.split(' ');
      const [endedNow, statusNow] = (ends.get(run) ?? '').split(' ');
      assert.equal(endedNow, endedAt, `${run}: the end that was written first stays`);
      assert.ok(status === 'null' || statusNow === status, `${run}: its status was ${status}, now ${statusNow}`);
    }
    before = ends;
  }
}

/** How many events of a kind the answers call for; a range for skips: once, and once more if counted only later. */
export function checkEvents(entries: readonly HistoryEntry[], events: readonly LeaseholdEvent[]): void {
  const told = Map.groupBy(events, ({ kind }) => kind as string);
  const count = (kind: string): number => told.get(kind)?.length ?? 0;
  const answered = (call: string, ...outcomes: string[]): number =>
    entries.filter((entry) => entry.call === call && outcomes.includes(entry.answer['outcome'] as string)).length;
  const decided = [...startsOf(entries).values()].map((asks) => decidedBy(asks)?.answer['outcome']);
  const proceeded = (outcome: string): number => decided.filter((each) => each === outcome).length;
  assert.deepEqual(
    {
      reclaimed: count('lease.reclaimed'),
      bypassed: count('run.bypassed'),
      refused: count('release.refused'),
      forced: count('lock.force_released'),
      paused: count('lock.paused'),
      resumed: count('lock.resumed'),
      lost: count('lease.lost'),
    },
    {
      reclaimed: proceeded('reclaimed'),
      bypassed: proceeded('bypassed'),
      refused: answered('release', 'not_holder'),
      forced: answered('force', 'draining', 'released'),
      paused: answered('pause', 'paused'),
      resumed: answered('resume', 'resumed'),
      lost: answered('renew', 'lost') + untoldLosses(entries),
    },
    'each is told once',
  );
  for (const [key, asks] of startsOf(entries)) checkToldStart(key, asks, events);
}

/** Releases after expiry of which no renewal has told. */
function untoldLosses(entries: readonly HistoryEntry[]): number {
  const told = new Set<string>();
  let untold = 0;
  for (const entry of entries) {
    if (entry.call !== 'renew' && entry.call !== 'release') continue;
    const { outcome } = entry.answer;
    if (outcome === 'expired' && !told.has(entry.token)) untold += 1;
    if (outcome === 'expired' || outcome === 'lost') told.add(entry.token);
  }
  return untold;
}

function checkToldStart(key: string, asks: readonly StartEntry[], events: readonly LeaseholdEvent[]): void {
  const proceededAt = asks.findIndex(({ answer }) => proceeds(answer));
  const refused = proceededAt === -1 ? asks : asks.slice(0, proceededAt);
  const final = refused.filter(({ waiting }) => !waiting).map(({ answer }) => answer);
  const skips = final.filter(({ outcome }) => outcome === 'skipped');
  const ran = final.filter(({ outcome }) => outcome === 'already_ran');
  const own = events.filter((event) => startKey({ runId: event.runId ?? '', holder: event.holder ?? '' }) === key);
  const toldSkips = own.filter(({ kind }) => kind === 'run.skipped').length;
  const toldRan = own.filter(({ kind }) => kind === 'run.already_ran').length;
  if (new Set(refused.map(({ answer }) => answer['outcome'])).size > 1) {
    // Its slot was done meanwhile, or it named another one: that it already ran is always told.
    assert.ok(toldRan >= Math.min(1, ran.length), `${key}: that it already ran is told`);
    assert.ok(toldSkips + toldRan >= Math.min(1, final.length), `${key}: something is told`);
    return;
  }
  // Told once, and once more where it is counted only later.
  const countedLater = skips.findIndex(({ reason }) => reason === 'held') > 0 ? 1 : 0;
  const expected = [Math.min(1, skips.length) + countedLater, Math.min(1, ran.length)];
  assert.deepEqual([toldSkips, toldRan], expected, `${key}: told as skipped, told as already run`);
}
