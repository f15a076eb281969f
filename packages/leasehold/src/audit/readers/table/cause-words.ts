import type { HistoryRun } from '../../model/run.ts';

type Cause = HistoryRun['cause'];

/**
 * What exports say about what started a run. Whatever comes from outside brings a record of its own, and may be neither skipped
 * nor taken for a second start of a schedule: so a clock is what says so, or what says nothing.
 */
const CAUSES: ReadonlyMap<string, Cause> = wordsOf([
  [
    'trigger',
    'trigger triggered schedule scheduled scheduler cron crontab timer time auto automatic automated automatisch poll polling interval recurring recurrence periodic system tumblingwindow timetriggered geplant planifie programado',
  ],
  ['webhook', 'webhook hook http chat api event instant request push'],
  [
    'manual',
    'manual manually manuell manuel cli evaluation user test testing adhoc runonce ondemand ui editor web console workflowdispatch',
  ],
  // What is made up for later is no start of the schedule either.
  ['retry', 'retry retried rerun replay replayed autoreplay dlq requeue requeued backfill catchup recovery redrive'],
  [
    'sub-workflow',
    'integrated internal error subworkflow subprocess child subflow workflowcall parent parentpipeline nested',
  ],
]);

/** Of a column that is called after triggers or events; in one of kinds or types they may say what is worked. */
const EVENTS: ReadonlyMap<string, Cause> = wordsOf([
  [
    'webhook',
    'message messages queue queued email mail imap gmail kafka sns sqs pubsub stream streams mqtt amqp rabbitmq rabbit nats redis kinesis eventhub servicebus blob s3 gcs objectcreated storage file files upload form submission slack telegram callback signal sensor dataset asset upstream pipeline workflowrun pullrequest pullrequesttarget mergerequest mergerequestevent mergegroup externalpullrequestevent repositorydispatch release issues issue issuecomment comment deployment deploymentstatus checksuite checkrun commit scm git github gitlab branch tag record row change changes cdc trap websocket sse grpc rest external subscription notification alert incoming inbound',
  ],
]);

/** Words in longer sayings, first what settles it: a "scheduled event" is of a clock, "Started by user" of a person. */
const RETRIES = /^(?:retry|retried|rerun|replay|backfill|catchup|redrive)$/;
const PEOPLE = /^(?:manual|manually|adhoc|ondemand)$/;
const CLOCKS =
  /^(?:schedule|scheduled|scheduler|cron|crontab|timer|recurrence|periodic|periodically|interval|tumbling)$/;
const EVENT_WORDS = /^(?:webhook|hook|http|https|api|event|events|eventbridge|push|pushed|request|subscribe)$/;

/** `isKind`: what stands there may be of the work, and not of what started it. */
export function causeOf(value: unknown, isKind = false): Cause {
  if (typeof value !== 'string') return 'unknown';
  const known = CAUSES.get(oneWord(value)) ?? (isKind ? undefined : EVENTS.get(oneWord(value)));
  if (known !== undefined) return known;
  return isKind || value.length > LENGTH_MAX ? 'unknown' : ofWords(value);
}

const LENGTH_MAX = 200;

function ofWords(text: string): Cause {
  const words = text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  if (words.some((word) => RETRIES.test(word))) return 'retry';
  if (words.some((word) => PEOPLE.test(word)) || /^started by user\b/i.test(text)) return 'manual';
  if (words.some((word) => CLOCKS.test(word))) return 'trigger';
  return words.some((word) => EVENT_WORDS.test(word) || EVENTS.has(word)) ? 'webhook' : 'unknown';
}

function wordsOf(lists: readonly (readonly [Cause, string])[]): ReadonlyMap<string, Cause> {
  return new Map(lists.flatMap(([cause, words]) => words.split(' ').map((word) => [word, cause] as const)));
}

/** `In progress` and `in_progress` are one word; accents are left out. */
export function oneWord(text: string): string {
  return /^[a-z]+$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[^\p{L}\d]/gu, '');
}
