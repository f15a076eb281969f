/** Starts many processes of `counter-child.ts` on one store and tells what their counter came to. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Edit } from '../edit-source.ts';

const CHILD = fileURLToPath(new URL('./counter-child.ts', import.meta.url));
const EDIT_SOURCE = new URL('../edit-source.ts', import.meta.url).href;
const CROWD_MS_MAX = 120_000;

interface Report {
  readonly done: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Of a process that ended without a report. */
const CRASHED: Report = { done: 0, outcomes: { crashed: 1 } };

export interface CrowdResult {
  /** What the file said in the end. */
  readonly counter: number;
  /** How many increments were made. */
  readonly increments: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface Crowd {
  readonly processes: number;
  readonly rounds: number;
  /** Default one minute: no lease ends by itself. */
  readonly leaseMs?: number;
  /** Guards to take out of the source that the processes load. */
  readonly edits?: readonly Edit[];
}

export async function countInCrowd(url: string, crowd: Crowd): Promise<CrowdResult> {
  const { processes, rounds, leaseMs = 60_000, edits = [] } = crowd;
  const folder = mkdtempSync(join(tmpdir(), 'counter-'));
  const file = join(folder, 'counter');
  writeFileSync(file, '0');
  const preload = edits.length > 0 ? ['--import', EDIT_SOURCE] : [];
  const env = { ...process.env, LEASEHOLD_EDITS: JSON.stringify(edits) };
  try {
    const reports = await Promise.all(
      Array.from({ length: processes }, async () => {
        const child = spawn(process.execPath, [...preload, CHILD, url, file, String(rounds), String(leaseMs)], {
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
          timeout: CROWD_MS_MAX,
        });
        // An edit that could not be made ends a process before it has begun: that is no crash of the store.
        const [begun, report = ''] = (await text(child.stdout)).split('\n');
        if (begun !== 'begun') throw new Error('a process of the crowd could not begin');
        return report === '' ? CRASHED : (JSON.parse(report) as Report);
      }),
    );
    const outcomes: Record<string, number> = {};
    for (const report of reports) {
      for (const [outcome, count] of Object.entries(report.outcomes))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    }
    const increments = reports.reduce((sum, report) => sum + report.done, 0);
    return { counter: Number(readFileSync(file, 'utf8')), increments, outcomes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
