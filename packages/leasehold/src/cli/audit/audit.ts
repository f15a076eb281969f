import type { Command } from 'commander';
import type { AuditReport } from '../../audit/model/report.ts';
import { MAPPED_FIELDS, type FieldMap, type MappedField } from '../../audit/readers/reading.ts';
import type { Severity } from '../../audit/model/finding.ts';
import { parseDuration } from '../../domain/duration.ts';
import { LeaseholdError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { OutputLost } from '../failure.ts';
import { parseChoice, parseInstant, parseTimezone, parseWhole, usageError } from '../options.ts';

interface AuditOptions {
  readonly json?: boolean;
  readonly timezone?: string;
  readonly map?: FieldMap;
  readonly days: number;
  readonly every?: number;
  readonly from?: Date;
  readonly to?: Date;
  readonly failOn: Severity | 'never';
}

/** `audit`: what histories and definitions of workflows tell. No store is opened, nothing is changed. */
export function register(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .description('find what ran twice, what will, and what to change: audit PATH…')
    .argument('[path...]', 'files, folders, - for stdin, n8n:https://host, sqlite:PATH, postgres://…')
    .option('--every <duration>', 'from start to start, where the history tells no schedule', parseEvery)
    .option('--timezone <tz>', 'the zone of local times and schedules that name none', parseTimezone)
    .option('--days <n>', 'how far back a live source is read', parseWhole('days', 1, 3_650), 30)
    .option('--from <instant>', 'look at schedules from here, default today', parseInstant('from'))
    .option('--to <instant>', 'and until here, default 400 days later', parseInstant('to'))
    .option('--map <pairs>', 'which column is what: start=Begin,end=Finish', parseMap)
    .option('--json', 'the report as one JSON object')
    .option(
      '--fail-on <severity>',
      'exit 1 from this severity on: info, warning, critical, never',
      parseChoice('fail-on', ['info', 'warning', 'critical', 'never']),
      'warning',
    )
    .action(async (paths: readonly string[], options: AuditOptions) => {
      const report = await runAudit(paths, options, context);
      await print(context, JSON.stringify(report));
      context.finish(exitCodeOf(report, options.failOn));
    });
}

async function runAudit(
  paths: readonly string[],
  options: AuditOptions,
  { host, clock }: CommandContext,
): Promise<AuditReport> {
  const { audit } = await import('../../audit/audit.ts');
  const nowMs = clock.read().wallMs;
  return await audit({
    sources: paths.length === 0 ? ['-'] : paths,
    window: windowOf(options, nowMs),
    everyMs: options.every ?? null,
    reading: {
      nowMs,
      timezone: options.timezone ?? null,
      map: options.map ?? {},
      days: options.days,
      env: host.env,
      stdin: () => host.readInput(),
      sleep: (ms) => clock.sleep(ms),
      progress: () => {},
    },
  });
}

const DAY_MS = 86_400_000;
const HORIZON_DAYS = 400;
/** Longer spans say nothing new, and would take long. */
const SPAN_DAYS_MAX = 4_000;

function windowOf({ from, to }: AuditOptions, nowMs: number): { fromMs: number; toMs: number } {
  const fromMs = from?.getTime() ?? Math.floor(nowMs / DAY_MS) * DAY_MS;
  const toMs = to?.getTime() ?? fromMs + HORIZON_DAYS * DAY_MS;
  if (toMs <= fromMs) throw usageError('--to has to be later than --from');
  if (toMs - fromMs > SPAN_DAYS_MAX * DAY_MS) {
    throw usageError(`--from and --to are more than ${SPAN_DAYS_MAX} days apart`);
  }
  return { fromMs, toMs };
}

function parseEvery(text: string): number {
  const ms = parseDuration(text, 'every');
  if (ms >= 1_000 && ms <= HORIZON_DAYS * DAY_MS) return ms;
  throw usageError(`every: "${text}" is not a time from 1s to ${HORIZON_DAYS}d`);
}

const RANK: Readonly<Record<Severity | 'never', number>> = { info: 0, warning: 1, critical: 2, never: 3 };

function exitCodeOf({ workflows, unread }: AuditReport, failOn: Severity | 'never'): number {
  if (workflows.length === 0 && unread.length > 0) return EXIT.refused;
  const isFound = workflows.some(({ findings }) => findings.some(({ severity }) => RANK[severity] >= RANK[failOn]));
  return isFound ? EXIT.promiseBroken : EXIT.done;
}

function parseMap(text: string): FieldMap {
  const map: Partial<Record<MappedField, string>> = {};
  for (const pair of text.split(',')) {
    const [field = '', ...name] = pair.split('=');
    const known = MAPPED_FIELDS.find((each) => each === field.trim());
    if (known === undefined || name.length === 0) {
      throw new LeaseholdError(
        'INVALID_ARGUMENT',
        `map: "${pair}" is not FIELD=COLUMN; the fields are ${MAPPED_FIELDS.join(', ')}`,
      );
    }
    map[known] = name.join('=').trim();
  }
  return map;
}

async function print({ host }: CommandContext, text: string): Promise<void> {
  const errorCode = await host.writeOut(`${text}\n`);
  if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
}
