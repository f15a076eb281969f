/**
 * Workflows, crontabs and histories with known answers. The answers are derived from the contract and from what the
 * platforms do, never from what the auditor prints; each sample is read from files, through the whole audit.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { audit } from '../../../src/audit/audit.ts';
import type { Rule } from '../../../src/audit/model/finding.ts';
import type { AuditedHistory, AuditedWorkflow, AuditReport } from '../../../src/audit/model/report.ts';
import { draw, type Drawing } from '../n8n/build.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
/** A Wednesday. */
export const NOW: number = Date.UTC(2026, 6, 1);

export interface Known {
  /** `rule severity` of all findings, each once, in any order; a rule alone where its severity is a matter of taste. */
  readonly finds: readonly string[];
  /** Rules that may be there or not: they are another sample's. */
  readonly may?: readonly Rule[];
  /** Null where nothing starts it by itself. */
  readonly schedule?: KnownSchedule | null;
  /** Read, first write, steps, effect before the mark: all of them, in any order. */
  readonly paths?: readonly KnownPath[];
  readonly history?: Partial<Omit<AuditedHistory, 'excluded'>>;
  /** `run reason` of all that were left out. */
  readonly excluded?: readonly string[];
  readonly leaseMs?: number | null;
  readonly state?: AuditedWorkflow['state'];
  /** What the message of each of these findings has to say. */
  readonly says?: Readonly<Partial<Record<Rule, RegExp>>>;
}

export type KnownPath = readonly [read: string, firstWrite: string | null, steps: number | null, effect: boolean];

export interface KnownSchedule {
  readonly kind?: string;
  readonly timezone?: string | null;
  /** Smallest and largest gap; null where they can't be known. */
  readonly gaps?: readonly [minMs: number, maxMs: number] | null;
  readonly expressions?: readonly string[];
}

export interface Sample {
  /** Also the folder that its files lie in. */
  readonly name: string;
  /** By file name; what is no text is written as JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  /** The id of the workflow that is judged; the name of the sample where it isn't given. */
  readonly id?: string;
  readonly everyMs?: number;
  readonly timezone?: string;
  readonly known: Known;
}

/** A workflow of n8n, in a file of its own. In UTC, unless it says something else: clocks that change are another sample's. */
export function n8n(
  name: string,
  { nodes, flow, ...more }: Drawing,
  known: Known,
  { files, ...given }: Partial<Sample> = {},
): Sample {
  const drawn = draw({
    nodes,
    flow,
    id: name,
    name: name.replaceAll('-', ' '),
    settings: { timezone: 'UTC' },
    ...more,
  });
  return { name, files: { [`${name}.json`]: drawn, ...files }, known, ...given };
}

/** One test a sample, each of its own folder. */
export function checkFamily(family: string, samples: readonly Sample[]): void {
  describe(`${family}: known answers`, () => {
    let folder = '';
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'leasehold-corpus-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));
    for (const sample of samples) {
      it(sample.name, async () => {
        writeSample(folder, sample);
        const report = await auditOf(join(folder, sample.name), sample);
        checkAnswer(judged(report, sample), sample.known);
      });
    }
  });
}

export function writeSample(folder: string, { name, files }: Sample): void {
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

export async function auditOf(path: string, { everyMs, timezone }: Partial<Sample> = {}): Promise<AuditReport> {
  const { report } = await audit({
    sources: [path],
    window: { fromMs: NOW, toMs: NOW + 400 * DAY },
    everyMs: everyMs ?? null,
    reading: {
      nowMs: NOW,
      timezone: timezone ?? null,
      map: null,
      days: 30,
      env: {},
      stdin: () => {
        throw new Error('nothing is piped');
      },
      sleep: () => Promise.resolve(),
      schedule: () => ({ cancel: () => undefined }),
      warn: () => undefined,
      progress: () => undefined,
    },
  });
  return report;
}

function judged({ workflows, unread }: AuditReport, { name, id }: Sample): AuditedWorkflow {
  const wanted = id ?? name;
  const found = workflows.find((workflow) => workflow.id === wanted || workflow.id.endsWith(`/${wanted}`));
  const all = workflows.map((workflow) => workflow.id);
  assert.ok(
    found !== undefined,
    `no workflow ${wanted} among ${JSON.stringify(all)}; unread ${JSON.stringify(unread)}`,
  );
  return found;
}

function checkAnswer(workflow: AuditedWorkflow, known: Known): void {
  const { history, schedule, paths, advice } = workflow;
  checkFindings(workflow, known);
  if (known.schedule === null) assert.equal(schedule, null, 'nothing starts it by itself');
  else if (known.schedule !== undefined) checkSchedule(schedule, known.schedule);
  if (known.paths !== undefined) {
    const found = paths.map(({ read, firstWrite, steps, effectBeforeMark }) =>
      JSON.stringify([read, firstWrite, steps, effectBeforeMark]),
    );
    assert.deepEqual(found.toSorted(), known.paths.map((path) => JSON.stringify(path)).toSorted());
  }
  if (known.history !== undefined) {
    const figures = Object.keys(known.history).map((key) => [key, history[key as keyof AuditedHistory]]);
    assert.deepEqual(Object.fromEntries(figures), known.history);
  }
  if (known.excluded !== undefined) {
    const left = history.excluded.map(({ runId, reason }) => `${runId} ${reason}`);
    assert.deepEqual(left.toSorted(), known.excluded.toSorted());
  }
  if (known.state !== undefined) assert.equal(workflow.state, known.state);
  if (known.leaseMs !== undefined) assert.equal(advice.leaseMs, known.leaseMs);
}

function checkFindings({ findings }: AuditedWorkflow, { finds, may = [], says = {} }: Known): void {
  const open = new Set(finds.filter((each) => !each.includes(' ')));
  const relevant = findings.filter(({ rule }) => !may.includes(rule));
  const found = new Set(relevant.map(({ rule, severity }) => (open.has(rule) ? rule : `${rule} ${severity}`)));
  const told = findings.map(({ rule, severity, message }) => `${rule} ${severity}: ${message}`).join('\n');
  assert.deepEqual([...found].toSorted(), finds.toSorted(), told);
  for (const [rule, words] of Object.entries(says)) {
    const messages = findings.filter((finding) => finding.rule === rule).map(({ message }) => message);
    assert.match(messages.join('\n'), words);
  }
}

function checkSchedule(schedule: AuditedWorkflow['schedule'], known: KnownSchedule): void {
  assert.ok(schedule !== null, 'there is a schedule');
  const { kind, timezone, expressions, minGapMs, maxGapMs } = schedule;
  if (known.kind !== undefined) assert.equal(kind, known.kind);
  if (known.timezone !== undefined) assert.equal(timezone, known.timezone);
  if (known.expressions !== undefined) assert.deepEqual(expressions, known.expressions);
  if (known.gaps !== undefined) assert.deepEqual([minGapMs, maxGapMs], known.gaps ?? [null, null]);
}
