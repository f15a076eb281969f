import type { Command } from 'commander';
import type { AuditResult } from '../../audit/audit.ts';
import type { AuditReport } from '../../audit/model/report.ts';
import { parseColumnMap } from '../../audit/readers/table/column-map.ts';
import { counted, grouped } from '../../audit/words.ts';
import type { CommandContext } from '../context.ts';
import { progressOn } from './progress.ts';
import { checkPagePath, writePage } from './write-page.ts';
import { EXIT } from '../exit-codes.ts';
import { OutputLost } from '../failure.ts';
import { parseChoice, parseInstant, parseWhole, usageError } from '../options.ts';
import { type AuditOptions, FAIL_ON, type FailOn, parseEvery, parseZone, windowOf } from './options.ts';

/**
 * `audit`: what histories and definitions of workflows tell. No store is opened, nothing is changed. What reads and
 * judges is loaded when it is asked for: no other command has a use for it.
 */
export function register(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .description('find what ran twice, what will, and what to change: audit PATH…')
    .argument('[path...]', 'files, folders, - for stdin, n8n:https://host, sqlite:PATH, postgres://…')
    .option('--every <duration>', 'from start to start, where nothing tells the schedule', parseEvery)
    .option('--timezone <tz>', 'the zone of local times and of schedules that name none', parseZone)
    .option('--days <n>', 'how far back a running system is asked', parseWhole('days', 1, 3_650), 30)
    .option('--from <iso>', 'look at schedules from here on; default today', parseInstant('from'))
    .option('--to <iso>', 'and until here; default 400 days later', parseInstant('to'))
    .option('--map <pairs>', 'which column is what, such as start=Begin,end=Finish', parseColumnMap)
    .option('--json', 'the report as one JSON object')
    .option(
      '--html <file>',
      'write the report to a file, as one page for a browser; - for stdout, in place of the text',
    )
    .option('--fail-on <what>', 'exit 1 from this on: info, warning, critical, never', parseFailOn, 'warning')
    .action(async (paths: readonly string[], options: AuditOptions) => {
      const isPageOut = options.html === '-';
      if (isPageOut && options.json === true) throw usageError('--json and --html - can not share stdout');
      if (options.html !== undefined && !isPageOut) await checkPagePath(options.html);
      const result = await runAudit(sourcesOf(paths, context), options, context);
      const { report } = result;
      // First, so that a page that can't be written is known before anybody reads on.
      const page = options.html === undefined ? null : await pageOf(result, context);
      if (page !== null && !isPageOut) await writePage(options.html ?? '', page);
      await print(page !== null && isPageOut ? [page] : await piecesOf(report, options.json === true), context);
      const isText = options.json !== true && !isPageOut;
      const lost = lostMessage(result, isText);
      if (lost !== null) await context.host.writeError(`leasehold: ${lost}\n`);
      context.finish(exitCodeOf(result, options.failOn));
    });
}

const parseFailOn = parseChoice('fail-on', FAIL_ON);

/** Without a path, what is piped in; from a terminal nothing would ever come. */
function sourcesOf(paths: readonly string[], { host }: CommandContext): readonly string[] {
  if (paths.length > 0) return paths;
  if (host.isTerminal('stdin'))
    throw usageError('name what to audit: files, folders, - for stdin, or the address of a system');
  return ['-'];
}

async function runAudit(
  sources: readonly string[],
  options: AuditOptions,
  { host, clock }: CommandContext,
): Promise<AuditResult> {
  const nowMs = clock.read().wallMs;
  const window = windowOf(options, nowMs);
  const { audit } = await import('../../audit/audit.ts');
  return await audit({
    sources,
    window,
    everyMs: options.every ?? null,
    reading: {
      nowMs,
      timezone: options.timezone ?? null,
      map: options.map ?? null,
      days: options.days,
      env: host.env,
      stdin: () => host.readInput(),
      sleep: (ms) => clock.sleep(ms),
      schedule: (ms, callback) => clock.schedule(ms, callback),
      warn: (line) => void host.writeError(`leasehold: ${line}\n`),
      progress: progressOn(host, clock),
    },
  });
}

async function piecesOf(report: AuditReport, isJson: boolean): Promise<Iterable<string>> {
  return isJson
    ? (await import('../../audit/report/json.ts')).jsonPieces(report)
    : [(await import('../../audit/report/terminal.ts')).terminalReport(report)];
}

async function print(pieces: Iterable<string>, { host }: CommandContext): Promise<void> {
  for (const piece of [pieces, ['\n']]) {
    for (const text of piece) {
      const errorCode = await host.writeOut(text);
      if (errorCode === 'EPIPE') return;
      if (errorCode !== null) throw new OutputLost(errorCode);
    }
  }
}

async function pageOf({ report, pictures }: AuditResult, { clock }: CommandContext): Promise<string> {
  const { htmlReport } = await import('../../audit/report/html/page.ts');
  return await htmlReport({ report, pictures: pictures(), at: new Date(clock.read().wallMs) });
}

/** Null where every source gave something. What a text on stdout has said already is not said again. */
function lostMessage({ report: { unread }, lost, isNothing }: AuditResult, isText: boolean): string | null {
  const [first, ...others] = isNothing ? unread : lost;
  if (first === undefined) return null;
  const what = isNothing ? 'nothing could be read' : `${counted(lost.length, 'source')} could not be read`;
  if (isText) return `${what}: why stands in the report, under "Not read"`;
  return `${what}: ${first.path}: ${first.reason}${others.length > 0 ? ` (and ${grouped(others.length)} more)` : ''}`;
}

const RANK: Readonly<Record<FailOn, number>> = { info: 0, warning: 1, critical: 2, never: 3 };

/** What was found stands above what could not be read: either is no 0. */
function exitCodeOf({ report: { workflows, unread }, lost, isNothing }: AuditResult, failOn: FailOn): number {
  if (isNothing && unread.length > 0) return EXIT.refused;
  const isFound = workflows.some(
    // What is switched off fails nobody, notes included.
    ({ state, findings }) =>
      state !== 'off' && state !== 'archived' && findings.some(({ severity }) => RANK[severity] >= RANK[failOn]),
  );
  if (isFound) return EXIT.found;
  return lost.length > 0 ? EXIT.refused : EXIT.done;
}
