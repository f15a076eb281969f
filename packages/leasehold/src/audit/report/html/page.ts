import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Finding, Severity } from '../../model/finding.ts';
import { emptySources, withoutEmpty } from '../empty-sources.ts';
import type { WorkflowPicture } from '../../model/picture.ts';
import type { AuditedWorkflow, AuditReport } from '../../model/report.ts';
import { STYLE } from './style.ts';
import { counted, grouped, OFF_WORDS } from '../../words.ts';
import { durationText, minuteText } from './words.ts';
import { workflowSection } from './workflow-section.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Workflows that get a section of their own, changes and lines of lists: a page of 10,000 would not open. */
const SECTIONS_MAX = 200;
const CHANGES_MAX = 200;
const LINES_MAX = 1_000;

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

export interface HtmlReportParts {
  readonly report: AuditReport;
  /** In the order of the report's workflows; null where there is nothing to draw. */
  readonly pictures: readonly (WorkflowPicture | null)[];
  /** When it was made. */
  readonly at: Date;
}

interface Shown {
  readonly workflow: AuditedWorkflow;
  readonly picture: WorkflowPicture | null;
  readonly anchor: string;
}

/**
 * The report as one file that needs no other: no script, no request to anybody (its own policy forbids both), light and
 * dark, narrow and printed. Every text of the input is escaped. Workflows come in the order of the report, worst first.
 */
export async function htmlReport({ report, pictures, at }: HtmlReportParts): Promise<string> {
  const all = report.workflows.map((workflow, index) => ({
    workflow,
    picture: pictures[index] ?? null,
    anchor: `workflow-${index + 1}`,
  }));
  const [troubled, rest] = [all.filter(isTroubled), all.filter((each) => !isTroubled(each))];
  const sections = troubled.slice(0, SECTIONS_MAX);
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Leasehold audit: ${headline(all.length, troubled.length)}</title><style>${STYLE}</style></head><body>
<header><h1>${headline(all.length, troubled.length)}</h1>
<p class="soft">Leasehold audit of ${minuteText(at.getTime())} UTC. All times are UTC.</p>
${tally(all)}</header><main>
${changes(sections)}
${sections.length === 0 ? '' : html`<h2>Workflows to look at</h2>`}
${sections.map(({ workflow, picture, anchor }) => workflowSection(workflow, picture, anchor))}
${tooMany(troubled.length - sections.length, 'more workflow has findings; narrow the audit to see it', 'more workflows have findings; narrow the audit to see them')}
${others(rest)}
${unreadTable('Empty', emptySources(report))}${unreadTable('Not read', withoutEmpty(report))}
</main><footer><p class="small">What each rule means, how sure it is and what to do: docs/audit.md. No finding of a history can say more than
the history holds.</p></footer></body></html>
`;
  return String(page);
}

function isTroubled({ workflow: { findings } }: Shown): boolean {
  return findings.some(({ severity }) => severity !== 'info');
}

function headline(workflows: number, troubled: number): string {
  if (workflows === 0) return 'Nothing that could be audited was found';
  if (troubled === 0) return `${counted(workflows, 'workflow')}: nothing to mend`;
  return `${grouped(troubled)} of ${counted(workflows, 'workflow')} ${troubled === 1 ? 'needs' : 'need'} a change`;
}

function tally(all: readonly Shown[]): Html {
  const count = (severity: Severity): number =>
    all.reduce(
      (sum, { workflow }) => sum + workflow.findings.filter((finding) => finding.severity === severity).length,
      0,
    );
  const runs = all.reduce((sum, { workflow }) => sum + workflow.history.runs, 0);
  const overlaps = all.reduce((sum, { workflow }) => sum + workflow.history.overlaps, 0);
  return html`<ul class="tally">${SEVERITIES.map(
    (severity) => html`<li><b>${grouped(count(severity))}</b><span class="label ${severity}">${severity}</span></li>`,
  )}<li><b>${grouped(overlaps)}</b>overlaps</li><li><b>${grouped(runs)}</b>runs read</li></ul>`;
}

/** What to do, worst first, so that one page is enough to hand to somebody. */
function changes(sections: readonly Shown[]): Html | '' {
  const list = SEVERITIES.slice(0, 2).flatMap((severity) =>
    sections.flatMap(({ workflow, anchor }) =>
      workflow.findings
        .filter((finding) => finding.severity === severity)
        .map((finding) => ({ workflow, anchor, finding })),
    ),
  );
  if (list.length === 0) return '';
  return html`<h2>Changes to make</h2><div class="scroll" tabindex="0"><table class="changes"><thead><tr><th>Where</th><th>Severity</th><th>Change</th></tr></thead><tbody>${list
    .slice(0, CHANGES_MAX)
    .map(({ workflow, anchor, finding }) => changeRow(workflow, anchor, finding))}</tbody></table></div>
${tooMany(list.length - CHANGES_MAX, 'more change', 'more changes')}`;
}

function changeRow({ name }: AuditedWorkflow, anchor: string, { severity, rule, advice }: Finding): Html {
  return html`<tr><td><a href="#${anchor}">${name}</a></td><td><span class="label ${severity}">${severity}</span></td><td>${advice}
<span class="soft small">${rule}</span></td></tr>`;
}

function others(rest: readonly Shown[]): Html | '' {
  if (rest.length === 0) return '';
  return html`<h2>Nothing to mend</h2><div class="scroll" tabindex="0"><table class="rest"><thead><tr><th>Workflow</th><th class="number">Runs</th><th class="number">95 of 100 within</th>
<th>Schedule</th><th>Worth knowing</th></tr></thead><tbody>${rest
    .slice(0, LINES_MAX)
    .map(
      ({ workflow: { name, state, history, schedule, findings } }) =>
        html`<tr><td data-label="Workflow">${name}${
          state === 'off' || state === 'archived' ? html` <span class="soft small">(${OFF_WORDS[state]})</span>` : ''
        }</td><td class="number" data-label="Runs">${grouped(history.runs)}</td><td class="number" data-label="95 of 100 within">${durationText(history.p95Ms)}</td><td data-label="Schedule">${
          schedule?.expressions.join(', ') ?? '–'
        }</td><td>${findings.map(({ message }) => message).join(' ')}</td></tr>`,
    )}</tbody></table></div>${tooMany(rest.length - LINES_MAX, 'more workflow', 'more workflows')}`;
}

function unreadTable(heading: string, unread: AuditReport['unread']): Html | '' {
  if (unread.length === 0) return '';
  return html`<h2>${heading}</h2><div class="scroll" tabindex="0"><table><thead><tr><th>Where</th><th>Why</th></tr></thead><tbody>${unread
    .slice(0, LINES_MAX)
    .map(
      ({ path, reason }) => html`<tr><td><code>${path}</code></td><td>${reason}</td></tr>`,
    )}</tbody></table></div>${tooMany(unread.length - LINES_MAX, 'more', 'more')}`;
}

function tooMany(count: number, one: string, many: string): Html | '' {
  return count <= 0 ? '' : html`<p class="soft">${counted(count, one, many)}.</p>`;
}
