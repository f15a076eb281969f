/**
 * One contestant in a process of its own, so that neither warms up the other and the memory is its own: `audit PATH…`,
 * or `lines PATH`, which reads a file and parses each line. Prints `{ms, cpuMs, rssMb, workflows, runs}`.
 */
import { createReadStream } from 'node:fs';
import { audit } from '../../src/audit/audit.ts';

const CHUNK_BYTES = 256 << 10;
const [what = '', ...paths] = process.argv.slice(2);

const cpu = process.cpuUsage();
const startedAt = performance.now();
const found = what === 'lines' ? await parseLines(paths[0] ?? '') : await auditPaths(paths);
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({ ms, cpuMs: (user + system) / 1_000, rssMb: process.resourceUsage().maxRSS / 1_024, ...found }),
);

interface Counts {
  readonly workflows: number;
  readonly runs: number;
}

async function parseLines(path: string): Promise<Counts> {
  const decoder = new TextDecoder();
  let rest = '';
  let runs = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      JSON.parse(line);
      runs += 1;
    }
  }
  return { workflows: 0, runs };
}

async function auditPaths(sources: readonly string[]): Promise<Counts> {
  const nowMs = Date.now();
  const { report } = await audit({
    sources,
    window: { fromMs: nowMs, toMs: nowMs + 400 * 86_400_000 },
    everyMs: null,
    reading: {
      nowMs,
      timezone: null,
      map: null,
      days: 30,
      env: {},
      stdin: () => process.stdin as AsyncIterable<Uint8Array>,
      sleep: async () => {},
      schedule: () => ({ cancel: () => {} }),
      warn: () => {},
      progress: () => {},
    },
  });
  if (report.workflows.length === 0) throw new Error(JSON.stringify(report.unread.slice(0, 3)));
  return {
    workflows: report.workflows.length,
    runs: report.workflows.reduce((sum, { history }) => sum + history.runs, 0),
  };
}
