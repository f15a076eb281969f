import type { HistoryRun } from '../../model/run.ts';
import { oneWord } from './cause-words.ts';

type Outcome = Pick<HistoryRun, 'state' | 'result'>;

const ENDED = (result: HistoryRun['result']): Outcome => ({ state: 'ended', result });
const OPEN = (state: HistoryRun['state']): Outcome => ({ state, result: 'unknown' });

/** What exports call the end, or the state, of a run. */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  (
    [
      [
        ENDED('success'),
        'success succeeded successful ok okay pass passed good warning warn filtered skipped erfolg erfolgreich succes exito successo',
      ],
      [ENDED('success'), 'completed complete done finished true t yes abgeschlossen fertig beendet termine completado'],
      [
        ENDED('failure'),
        'error errored fail failed failure failing ko false f no unsuccessful timeout timedout exception fehler fehlgeschlagen echec fallido errore halted stopped upstreamfailed',
      ],
      [ENDED('crashed'), 'crash crashed killed lost aborted abort oom zombie interrupted'],
      [ENDED('cancelled'), 'canceled cancelled cancel skippedbyuser terminated abgebrochen annule cancelado'],
      [
        OPEN('running'),
        'running inprogress started active processing playing executing lauft laufend encours enejecucion busy',
      ],
      [OPEN('waiting'), 'waiting wait delayed sleeping paused suspended deferred onhold upforretry wartet'],
      [
        OPEN('queued'),
        'new queued queue pending scheduled holding created submitted enqueued waitingforstart notstarted',
      ],
    ] as const
  ).flatMap(([outcome, words]) => words.split(' ').map((word) => [word, outcome] as const)),
);

/** Null for a word that says nothing of the kind. An exit code is 0 or a failure. */
export function outcomeOf(value: unknown, isExitCode: boolean): Outcome | null {
  if (typeof value === 'boolean') return ENDED(value ? 'success' : 'failure');
  if (isExitCode && /^\s*-?\d{1,5}\s*$/.test(String(value))) return ENDED(Number(value) === 0 ? 'success' : 'failure');
  return typeof value === 'string' ? (OUTCOMES.get(oneWord(value)) ?? null) : null;
}
