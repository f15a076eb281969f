/** The audit row of design §10: `npm run bench -- audit [RUNS]`, 1,000,000 runs unless named. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, writeExecutions, writeHosts, writeWorkflows } from './audit/histories.ts';
import { type Measure, median, report } from './measure.ts';

const CONTESTANT = join(import.meta.dirname, 'audit/contestant.ts');
const TURNS = 5;
const FILES = 10_000;
const RUNS = Number(process.argv[2] ?? 1_000_000);

interface Turn {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly workflows: number;
  readonly runs: number;
}

async function turn(what: 'audit' | 'lines', path: string): Promise<Turn> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=leasehold-source',
    CONTESTANT,
    what,
    path,
  ]);
  return JSON.parse(stdout) as Turn;
}

using folder = makeFolder();
const many = join(folder.path, 'many.ndjson');
const few = join(folder.path, 'few.ndjson');
await writeExecutions(many, RUNS);
await writeExecutions(few, RUNS / 10);

const turns: { ours: Turn; theirs: Turn; tenth: Turn }[] = [];
for (let at = 0; at < TURNS; at += 1) {
  const [ours, theirs, tenth] = [await turn('audit', many), await turn('lines', many), await turn('audit', few)];
  if (ours.runs !== RUNS || theirs.runs !== RUNS) throw new Error(`${ours.runs} and ${theirs.runs} runs, not ${RUNS}`);
  turns.push({ ours, theirs, tenth });
}
const ratio = median(turns.map(({ ours, theirs }) => ours.ms / theirs.ms));
const growth = median(turns.map(({ ours, tenth }) => ours.ms / tenth.ms));
const rssMb = Math.max(...turns.map(({ ours }) => ours.rssMb));
const rows: Measure[] = [
  {
    measure: `audit of ${RUNS} executions (NDJSON), against reading and parsing the lines`,
    reach: '≤ 4 ×',
    got: `${ratio.toFixed(2)} ×`,
    isReached: ratio <= 4,
    details: {
      'audit, s': seconds(turns.map(({ ours }) => ours.ms)),
      'lines, s': seconds(turns.map(({ theirs }) => theirs.ms)),
      'ratio of CPU': median(turns.map(({ ours, theirs }) => ours.cpuMs / theirs.cpuMs)).toFixed(2),
      ratios: turns.map(({ ours, theirs }) => (ours.ms / theirs.ms).toFixed(2)).join(' '),
    },
  },
  {
    measure: 'memory of that audit, with Node.js itself',
    reach: '< 300 MB',
    got: `${rssMb.toFixed(0)} MB`,
    isReached: rssMb < 300,
    details: { 'reading and parsing alone, MB': Math.max(...turns.map(({ theirs }) => theirs.rssMb)).toFixed(0) },
  },
  {
    measure: 'time for ten times as many',
    reach: 'linear: ≤ 11 ×',
    got: `${growth.toFixed(1)} ×`,
    isReached: growth <= 11,
    details: { 'a tenth, s': seconds(turns.map(({ tenth }) => tenth.ms)) },
  },
];

const table = join(folder.path, 'hosts.csv');
await writeHosts(table, RUNS);
const hosts = await turn('audit', table);
rows.push({
  measure: `memory of an audit of ${RUNS} rows that name their host (CSV), with Node.js itself`,
  reach: '< 300 MB',
  got: `${hosts.rssMb.toFixed(0)} MB`,
  isReached: hosts.rssMb < 300 && hosts.workflows === 150,
  details: { workflows: hosts.workflows, 'audit, s': seconds([hosts.ms]) },
});

const workflows = join(folder.path, 'workflows');
writeWorkflows(workflows, FILES);
const files = await turn('audit', workflows);
rows.push({
  measure: `audit of ${FILES} workflow files`,
  reach: '≤ 30 s',
  got: `${(files.ms / 1_000).toFixed(1)} s`,
  isReached: files.ms <= 30_000 && files.workflows === FILES,
  details: { workflows: files.workflows, 'memory, MB': files.rssMb.toFixed(0) },
});
report(RUNS === 1_000_000 ? 'audit' : null, rows, { Node: process.versions.node });

function seconds(all: readonly number[]): string {
  return `${(median(all) / 1_000).toFixed(2)} (${(Math.min(...all) / 1_000).toFixed(2)} to ${(Math.max(...all) / 1_000).toFixed(2)})`;
}
