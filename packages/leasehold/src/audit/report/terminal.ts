import { formatDuration } from '../../domain/duration.ts';
import { oneLine } from '../../domain/one-line.ts';
import { besides, leaseWords } from '../advice/advice.ts';
import { counted, grouped } from '../words.ts';
import type { Evidence, Finding, Severity } from '../model/finding.ts';
import type { AuditedWorkflow, AuditReport } from '../model/report.ts';
import { isNoneCounted, noneCountedText } from './none-counted.ts';
import { emptySources, withoutEmpty } from './empty-sources.ts';
import { openToAWord } from './open-to-a-word.ts';
import { wrapped } from './wrap.ts';

/**
 * The report for a terminal: what matters first and short, no colours, the same text in a mail and in a log. Notes
 * (info) are counted and not shown, workflows without a warning are named in one line.
 */
export function terminalReport(report: AuditReport): string {
  const { workflows } = report;
  const loud = workflows.filter((workflow) => warnings(workflow).length > 0);
  const shown = loud.slice(0, WORKFLOWS_MAX);
  const blocks = [
    summary(report, loud),
    ...shown.map(workflowText),
    ...(loud.length > shown.length
      ? [`${counted(loud.length - shown.length, 'further workflow')} with warnings: --json lists all.`]
      : []),
    quietText(workflows.filter((workflow) => warnings(workflow).length === 0 && !isOff(workflow))),
    offText(workflows.filter(isOff)),
    noneCountedText(workflows.filter((workflow) => warnings(workflow).length === 0 && !isOff(workflow))),
    openToAWord(workflows),
    notesText(workflows),
    listText('Empty:', emptySources(report)),
    listText('Not read:', withoutEmpty(report)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

const WORKFLOWS_MAX = 25;
const FINDINGS_MAX = 8;
const NAMES_MAX = 10;
const UNREAD_MAX = 10;

const TEXT_LENGTH_MAX = 2_000;
/** What was read from files must not move a cursor. */
const plain = (text: string): string => oneLine(text, TEXT_LENGTH_MAX);

const isWarning = ({ severity }: Finding): boolean => severity !== 'info';
const warnings = ({ findings }: AuditedWorkflow): readonly Finding[] => findings.filter(isWarning);

const isOff = ({ state }: AuditedWorkflow): boolean => state === 'off' || state === 'archived';

function summary({ workflows }: AuditReport, loud: readonly AuditedWorkflow[]): string {
  if (workflows.length === 0) return 'No workflow and no run was found.';
  const runs = workflows.reduce((sum, { history }) => sum + history.runs, 0);
  const of = `${counted(workflows.length, 'workflow')}, ${counted(runs, 'run')}`;
  if (loud.length === 0) {
    const isSilent = runs > 0 && workflows.every((workflow) => workflow.history.runs === 0 || isNoneCounted(workflow));
    return isSilent ? `${of}, none of them counted: nothing to change was found.` : `${of}: nothing to change.`;
  }
  const count = (wanted: Severity): number =>
    loud.reduce((sum, { findings }) => sum + findings.filter(({ severity }) => severity === wanted).length, 0);
  const found = [`${grouped(count('critical'))} critical`, counted(count('warning'), 'warning')].filter(
    (text) => !text.startsWith('0 '),
  );
  return `${of}: ${found.join(' and ')} in ${loud.length === workflows.length ? 'all' : grouped(loud.length)} of them.`;
}

function workflowText(workflow: AuditedWorkflow): string {
  const findings = warnings(workflow);
  const more = findings.length - FINDINGS_MAX;
  return [
    `${plain(workflow.name)}  [${plain(workflow.source)}]`,
    ...figuresText(workflow),
    ...findings.slice(0, FINDINGS_MAX).map(findingText),
    ...(more > 0 ? [`  ${counted(more, 'further warning')}: --json lists all.`] : []),
  ].join('\n');
}

/** What it took and when it starts: nothing where neither is known. */
function figuresText({ history, schedule, advice }: AuditedWorkflow): string[] {
  const { runs, used, p50Ms, p95Ms, slowestMs } = history;
  const parts = [
    runs === 0 ? '' : `${counted(runs, 'run')}${used === runs ? '' : `, ${grouped(used)} of them counted`}`,
    p50Ms === null || p95Ms === null || slowestMs === null
      ? ''
      : `${formatDuration(p50Ms)} usually, ${formatDuration(p95Ms)} at the 95th percentile, ${formatDuration(slowestMs)} at most`,
    schedule === null ? '' : schedule.expressions.slice(0, 3).map(plain).join(' and '),
    advice.leaseMs === null ? '' : plain(`lease ${leaseWords(advice.leaseMs)}${besides(advice)}`),
  ];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? [] : [wrapped(text, 2)];
}

function findingText({ severity, rule, message, advice }: Finding): string {
  return [
    `  ${severity === 'critical' ? 'CRITICAL' : severity} ${rule}`,
    wrapped(plain(message), 6),
    ...(advice === '' ? [] : [wrapped(`-> ${plain(advice)}`, 6, 9)]),
  ].join('\n');
}

function quietText(quiet: readonly AuditedWorkflow[]): string {
  if (quiet.length === 0) return '';
  const names = quiet.slice(0, NAMES_MAX).map(({ name }) => plain(name));
  const more = quiet.length - names.length;
  return wrapped(`Without a warning: ${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}.`, 0, 2);
}

function offText(off: readonly AuditedWorkflow[]): string {
  if (off.length === 0) return '';
  const names = off
    .slice(0, NAMES_MAX)
    .map(({ name, state }) => `${plain(name)}${state === 'archived' ? ' (archived)' : ''}`);
  const more = off.length - names.length;
  const loud = off.filter(({ findings }) => findings.some(({ evidence }) => evidence.some(wouldWarn))).length;
  const who = loud < off.length ? `${grouped(loud)} of them` : off.length === 1 ? 'it' : 'each of them';
  const would =
    loud === 0 ? '' : ` Switched on, ${who} would have warnings, which are only notes here: --json lists all.`;
  return wrapped(`Switched off: ${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}.${would}`, 0, 2);
}

const wouldWarn = (evidence: Evidence): boolean => evidence['severityIfOn'] !== undefined;

function notesText(workflows: readonly AuditedWorkflow[]): string {
  const rules = workflows.flatMap(({ findings }) => findings.filter((finding) => !isWarning(finding)));
  if (rules.length === 0) return '';
  const kinds = [...Map.groupBy(rules, ({ rule }) => rule)].map(([rule, all]) => `${grouped(all.length)} ${rule}`);
  return wrapped(`${counted(rules.length, 'note')} not shown here (${kinds.join(', ')}): --json lists all.`, 0, 2);
}

function listText(heading: string, list: AuditReport['unread']): string {
  if (list.length === 0) return '';
  const more = list.length - UNREAD_MAX;
  return [
    heading,
    ...list.slice(0, UNREAD_MAX).map(({ path, reason }) => wrapped(`${plain(path)}: ${plain(reason)}`, 2, 4)),
    ...(more > 0 ? [`  and ${grouped(more)} more: --json lists all.`] : []),
  ].join('\n');
}
