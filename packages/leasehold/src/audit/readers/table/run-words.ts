import type { HistoryRun } from '../../model/run.ts';

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

const CAUSES: ReadonlyMap<string, HistoryRun['cause']> = new Map(
  (
    [
      [
        'trigger',
        'trigger triggered schedule scheduled scheduler cron crontab timer time auto automatic automated automatisch poll polling interval recurring periodic system',
      ],
      ['webhook', 'webhook hook http chat api event instant request push'],
      [
        'manual',
        'manual manually manuell manuel cli evaluation user test testing adhoc runonce ondemand ui editor workflowdispatch',
      ],
      ['retry', 'retry retried rerun replay replayed autoreplay dlq requeue requeued'],
      ['sub-workflow', 'integrated internal error subworkflow subprocess child subflow workflowcall parent nested'],
    ] as const
  ).flatMap(([cause, words]) => words.split(' ').map((word) => [word, cause] as const)),
);

/** Null for a word that says nothing of the kind. An exit code is 0 or a failure. */
export function outcomeOf(value: unknown, isExitCode: boolean): Outcome | null {
  if (typeof value === 'boolean') return ENDED(value ? 'success' : 'failure');
  if (isExitCode && /^\s*-?\d{1,5}\s*$/.test(String(value))) return ENDED(Number(value) === 0 ? 'success' : 'failure');
  return typeof value === 'string' ? (OUTCOMES.get(oneWord(value)) ?? null) : null;
}

export function causeOf(value: unknown): HistoryRun['cause'] {
  return typeof value === 'string' ? (CAUSES.get(oneWord(value)) ?? 'unknown') : 'unknown';
}

/** `In progress` and `in_progress` are one word; accents are left out. */
function oneWord(text: string): string {
  return /^[a-z]+$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[^\p{L}\d]/gu, '');
}
