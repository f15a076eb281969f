import type { Field } from './column-map.ts';
import type { DurationUnit } from './durations.ts';

/**
 * What exports call their columns, best first, in the languages that they come in. Words that say nothing about
 * which one it is (`time`, `at`, `date`, units, zones) are left out before they are compared.
 */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  start: [
    'start|started|starts|begin|began|begun|beginn|begonnen|gestartet|startzeit|startzeitpunkt|anfang|debut|inicio|comienzo|iniciado|inizio|iniziato|avvio',
    'run start|run started|execution start|execution started|job start|job started|task start|task started|process start|start zeit|start exec|fired|launched|kicked off',
    'trigger|triggered|processed|run|ran|executed|execution|actual|from|von|de',
    '|created|submitted|enqueued|queued',
  ],
  end: [
    'end|ended|ends|finish|finished|stop|stopped|ende|beendet|endzeit|endzeitpunkt|fin|termine|terminado|fine|terminato',
    'run end|run ended|run finished|run completed|run stopped|execution end|execution ended|execution finished|execution completed|execution stop|job end|job ended|job finished|job completed|task end|task ended|task finished|task completed|process end|end zeit|complete|completed|completion|done|closed|exited|succeeded|finalizado',
    'to|until|bis',
    'updated|modified|changed',
  ],
  duration: [
    'duration|runtime|elapsed|took|dauer|laufzeit|duree|duracion|durata|ausfuhrungsdauer',
    'run duration|run length|execution duration|execution length|wall|length|total|latency|processing|taken|run',
  ],
  id: [
    'run id|execution id|exec id|jid|runid|executionid|invocation id|imtid|lauf id|instance id|build id|request id|task run id|job run id|history id',
    'id|uuid|guid|run|execution|run number|run no|run nr|number|nummer|nr|no|build|#',
  ],
  workflow: [
    'workflow id|workflowid|scenario id|scenarioid|zap id|zapid|flow id|dag id|pipeline id|automation id|schedule id|process id|definition id',
    'job id|jobid|task id|function id|script id|state machine arn|state machine',
  ],
  name: [
    'workflow name|workflow|workflowname|scenario|scenario name|zap|zap title|zap name|flow|flow name|dag|dag name|pipeline|pipeline name|automation|automation name|job|job name|jobname|ablauf|auftrag',
    'task|task name|process|process name|function|function name|func|func name|class|job class|script|script name|command|cmd|program|service|recipe|recipe name|playbook|runbook|schedule|schedule name|monitor|title|titel|name|nom|nombre|nome|aufgabe|tache|tarea',
  ],
  status: [
    'conclusion',
    'status|state|result|outcome|zustand|ergebnis|statut|etat|estado|stato|resultat|resultado|run status|execution status|job status|final status',
    'exit code|exitcode|exit status|return code|returncode|rc|exit|code|success|succeeded|ok|successful|failed|error',
    'finished',
  ],
  trigger: [
    'mode|trigger|trigger type|triggered by|started by|trigger source|cause|run type|execution mode|ausloser|invoked by|initiated by|start type|source',
    'event|type|kind',
  ],
  retry: ['retry of|retryof|rerun of|replay of|parent run id|original run id|retried from'],
  version: ['workflow version id|workflowversionid|version id|versionid|version|revision'],
  slot: [
    'scheduled|scheduled for|scheduled start|planned|planned start|planned for|nominal|slot|slot at|logical|due|geplant|soll|expected|expected start|prevu|programado',
    'execution',
  ],
  wait: ['wait till|waittill|wait until|waiting until|resume|resumes|wake|delayed until'],
  // A worker or a pod takes runs of any schedule: it is none.
  host: [
    'host|hostname|host name|server|servername|server name|machine|machine name|computer|computer name|rechner|rechnername|maschine|hote|nom d hote|serveur|ordinateur|anfitrion|servidor|maquina|macchina|computador',
    'node|node name|nodename|knoten|noeud|nodo|region|regione|regiao|data center|datacenter|rechenzentrum',
  ],
  attempt: [
    'attempt|run attempt|attempt number|attempt no|try number|try|retry number|retry no|versuch|tentative|intento',
    'retry count|retries|attempts|attempts made|tries|retry attempt',
  ],
  timezone: ['timezone|time zone|tz|zeitzone|fuseau horaire|zona horaria'],
};

const NOISE = new Set(
  'at on the of in time times date datetime timestamp ts stamp utc gmt local ms msec millis milliseconds s sec secs second seconds min mins minutes hours millisekunden sekunden minuten stunden millisecondes secondes segundos minutos horas secondi minuti zeit zeitpunkt datum uhrzeit heure hora fecha data ora iso epoch unix inclusive'.split(
    ' ',
  ),
);
/** Kept whole where all of their words would be noise, or where the words mean something else alone. */
const WHOLE: Readonly<Partial<Record<Field, RegExp>>> = {
  duration:
    /^(?:run ?time|execution ?time|elapsed(?: time)?|total ?time|time taken|processing ?time|wall ?time|time)(?: (?:ms|s|sec|secs|seconds|min|minutes|millis|milliseconds))?$/,
  timezone: /^(?:time ?zone|tz)$/,
  slot: /^(?:execution date|logical date)$/,
};
const UNIT_WORDS: readonly (readonly [RegExp, DurationUnit])[] = [
  [/\b(?:ms|msec|msecs|millis|milliseconds?|millisekunden|millisecondes|milisegundos)\b/, 'ms'],
  [/\b(?:s|sec|secs|seconds?|sek|sekunden|secondes|segundos|secondi)\b/, 's'],
  [/\b(?:m|min|mins|minutes?|minuten|minutos|minuti)\b/, 'min'],
  [/\b(?:h|hrs?|hours?|std|stunden|heures|horas|ore)\b/, 'h'],
];

/** Names are asked for again with each object of a file. */
const remembered = new Map<string, number | null>();
const REMEMBERED_MAX = 20_000;

const ZONE_IN_NAME = /\(([A-Z][A-Za-z]+\/[A-Za-z_/]+)\)/;

/** Names of this fit are of any span of time. */
export const SPAN_FIT = 2;
/** From this fit on, a name says that something happened, and not that a run began. */
export const VAGUE_FIT = 3;

/** What takes runs of any schedule, mostly: it is no host unless somebody says so. */
export function isOfWorkers(column: string): boolean {
  return WORKERS.test(withoutNoise(wordsOf(column), 'host'));
}
const WORKERS =
  /^(?:(?:worker|instance|agent|pod|container|runner|executor|arbeiter|instanz|ouvrier|instancia|istanza)(?: (?:name|id))?|executed by|run by)$/;

/** How well a name fits a field: 0 is best; null where it doesn't. */
export function fitOf(field: Field, column: string): number | null {
  const key = `${field} ${column}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const fit = judged(field, column);
  if (remembered.size < REMEMBERED_MAX) remembered.set(key, fit);
  return fit;
}

function judged(field: Field, column: string): number | null {
  const words = wordsOf(column);
  if (WHOLE[field]?.test(words) === true) return field === 'duration' && words === 'time' ? 9 : 0;
  if (WHOLE.duration?.test(words) === true && field !== 'duration' && words !== 'time') return null;
  if (/^(?:execution|logical) date$/.test(words)) return null;
  const meaning = withoutNoise(words, field);
  const at = NAMES[field].findIndex((names) => names.split('|').includes(meaning));
  return at === -1 ? null : at;
}

/** The unit that a name carries: `duration_ms`, `Dauer (s)`. */
export function unitIn(column: string): DurationUnit | null {
  const words = wordsOf(column);
  return UNIT_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** The zone that a name carries: `Start (UTC)`, `Start (Europe/Berlin)`. */
export function zoneIn(column: string): string | null {
  if (/\b(?:utc|gmt)\b/.test(wordsOf(column))) return 'UTC';
  return ZONE_IN_NAME.exec(column)?.[1] ?? null;
}

/** `startedAt`, `STARTED_AT` and `Started at` are the same words; accents and a path to it are left out. */
function wordsOf(column: string): string {
  return column
    .replace(ZONE_IN_NAME, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d#]+/gu, ' ')
    .trim();
}

/** Of a start that is only `time`, nothing is left: that is a name of its own. */
function withoutNoise(words: string, field: Field): string {
  if (field !== 'start' && field !== 'end' && field !== 'duration' && field !== 'slot' && field !== 'wait')
    return words;
  return words
    .split(' ')
    .filter((word) => !NOISE.has(word))
    .join(' ');
}
