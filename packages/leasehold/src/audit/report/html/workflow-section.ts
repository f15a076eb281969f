import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { besides } from '../../advice/advice.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import type { Replay, WorkflowPicture } from '../../model/picture.ts';
import type { AuditedPath, AuditedWorkflow } from '../../model/report.ts';
import { durationsPicture } from './durations.ts';
import { timelinePicture } from './timeline.ts';
import { counted, grouped } from '../../words.ts';
import { durationText } from './words.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Everything about one workflow: numbers, pictures, findings with their change, evidence. */
export function workflowSection(workflow: AuditedWorkflow, picture: WorkflowPicture | null, anchor: string): Html {
  const { name, id, source, schedule, findings, paths } = workflow;
  const runs = picture?.runs ?? [];
  const timeline = timelinePicture(runs);
  const durations = durationsPicture(runs, picture?.gapMs ?? null);
  return html`<article id="${anchor}"><h3>${name}</h3>
<p class="small soft">${id === name ? '' : `${id} · `}${source}</p>
${facts(workflow)}
${replayText(picture?.replay ?? null)}
${findings.map(findingBlock)}
${timeline === null ? '' : html`<h4>Timeline</h4>${timeline}`}
${durations === null ? '' : html`<h4>How long runs took</h4>${durations}`}
${paths.length === 0 ? '' : html`<h4>From read to mark</h4>${pathTable(paths)}`}
${(schedule?.assumes ?? []).length === 0 ? '' : html`<p class="small soft">Taken for granted: ${schedule?.assumes.join(' ')}</p>`}
</article>`;
}

function facts({ history, schedule, advice }: AuditedWorkflow): Html {
  const entries: (readonly [string, string])[] = [];
  if (schedule !== null) {
    entries.push([
      'Schedule',
      `${schedule.expressions.join(', ') || schedule.kind}${schedule.timezone === null ? '' : ` (${schedule.timezone})`}`,
    ]);
    if (schedule.minGapMs !== null) {
      const { minGapMs, maxGapMs } = schedule;
      entries.push([
        'Next start after',
        maxGapMs === null || maxGapMs === minGapMs
          ? durationText(minGapMs)
          : `${durationText(minGapMs)} to ${durationText(maxGapMs)}`,
      ]);
    }
  }
  if (history.runs > 0) {
    entries.push([
      'Runs',
      history.used === history.runs
        ? counted(history.runs, 'run')
        : `${counted(history.used, 'run')} of ${grouped(history.runs)}`,
    ]);
    entries.push([
      'Overlaps',
      `${grouped(history.overlaps)}${history.maxConcurrent > 1 ? `, up to ${grouped(history.maxConcurrent)} at once` : ''}`,
    ]);
    entries.push(
      ['Usual', durationText(history.p50Ms)],
      ['95 of 100 within', durationText(history.p95Ms)],
      ['Slowest', durationText(history.slowestMs)],
    );
  }
  if (advice.leaseMs !== null) entries.push(['Advised lease', `${durationText(advice.leaseMs)}${besides(advice)}`]);
  if (advice.claimMs !== null) entries.push(['Advised claim', durationText(advice.claimMs)]);
  if (advice.batchSize !== null) entries.push(['Advised batch', counted(advice.batchSize, 'record')]);
  return html`<dl class="facts">${entries.map(([term, said]) => html`<div><dt>${term}</dt><dd>${said}</dd></div>`)}</dl>`;
}

function replayText(replay: Replay | null): Html | '' {
  if (replay === null || replay.starts === 0) return '';
  const { leaseMs, starts, runs, skips, overlaps } = replay;
  return html`<p>With a lease of ${durationText(leaseMs)} and skip, these ${counted(starts, 'start')} would have been ${counted(runs, 'run')},
${counted(skips, 'skip')} and ${counted(overlaps, 'overlap')}.</p>`;
}

function findingBlock({ rule, severity, message, advice, evidence }: Finding): Html {
  return html`<div class="finding ${severity}"><p><span class="label ${severity}">${severity}</span> <code>${rule}</code></p>
<p>${message}</p><p><b>Change:</b> ${advice}</p>${
    evidence.length === 0
      ? ''
      : html`<details><summary>${counted(evidence.length, 'piece of evidence', 'pieces of evidence')}</summary><ul class="small">${evidence.map(
          (each) => html`<li>${evidenceText(each)}</li>`,
        )}</ul></details>`
  }</div>`;
}

function evidenceText(evidence: Evidence): string {
  return Object.entries(evidence)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
}

function pathTable(paths: readonly AuditedPath[]): Html {
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Reads</th><th>Marks</th><th class="number">Nodes between</th><th>Effect before the mark</th></tr></thead><tbody>${paths.map(
    ({ read, firstWrite, steps, effectBeforeMark }) =>
      html`<tr><td data-label="Reads">${read}</td><td data-label="Marks">${firstWrite ?? 'nothing'}</td><td class="number" data-label="Nodes between">${steps ?? '–'}</td><td data-label="Effect before the mark">${effectBeforeMark ? 'yes' : 'no'}</td></tr>`,
  )}</tbody></table></div>`;
}
