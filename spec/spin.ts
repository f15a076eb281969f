/** Runs Spin on one model with one set of macros: generates, compiles, searches, and reads the trace of what it found. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Kind } from './instances.ts';

const STEP_MS_MAX = 240_000;
const MEMORY_MB_MAX = 3_000;
const DEPTH_MAX = 200_000;

export interface Search {
  readonly model: string;
  readonly kind: Kind;
  readonly flags: readonly string[];
  /** True: breadth first, so that the shortest way to a violation is found; it keeps more states. */
  readonly shortest: boolean;
}

export interface Found {
  /** The property that is violated: its name, `accounted_for` or `taken_again` for a cycle; null where all of it holds. */
  readonly violates: string | null;
  readonly states: number;
  readonly seconds: number;
  /** What the model printed on the way, line by line; `cycle` where the cycle begins. */
  readonly trace: readonly string[];
}

/** Throws where Spin or the compiler fails, or the search doesn't end within its bounds. */
export async function search(wanted: Search): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-spec-'));
  const begunAt = performance.now();
  try {
    for (const part of ['lock.pml', 'record.pml', 'record']) {
      cpSync(join(import.meta.dirname, part), join(folder, part), { recursive: true });
    }
    const macros = wanted.flags.map((flag) => `-D${flag}`);
    await run(folder, 'spin', [...macros, '-a', wanted.model]);
    await run(folder, 'gcc', ['-w', '-O1', ...compilerFlags(wanted), '-o', 'pan', 'pan.c']);
    const output = await run(folder, './pan', searchFlags(wanted));
    if (/Search not completed|max search depth too small|out of memory/.test(output) && !output.includes('.trail')) {
      throw new Error(`the search did not end: ${output}`);
    }
    const states = Number(/(\S+) states, stored/.exec(output)?.[1] ?? Number.NaN);
    const isFound = existsSync(join(folder, `${wanted.model}.trail`));
    const trace = isFound ? read(await run(folder, 'spin', [...macros, '-t', wanted.model])) : [];
    const seconds = (performance.now() - begunAt) / 1_000;
    return { violates: isFound ? violated(wanted, trace) : null, states, seconds, trace };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compilerFlags({ kind, shortest }: Search): string[] {
  const common = ['-DCOLLAPSE', `-DMEMLIM=${MEMORY_MB_MAX}`];
  if (kind === 'liveness') return [...common, '-DNFAIR=6'];
  return [...common, '-DSAFETY', '-DNOCLAIM', ...(shortest ? ['-DBFS'] : [])];
}

/** Weak fairness (-f): whoever could go on for ever does. Assertions are the other instances' business (-A). */
function searchFlags({ kind, shortest }: Search): string[] {
  if (kind === 'liveness') return ['-a', '-f', '-A', `-m${DEPTH_MAX}`];
  return shortest ? ['-E'] : ['-E', `-m${DEPTH_MAX}`];
}

function read(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    if (line.includes('START OF CYCLE')) return ['cycle'];
    const step = /@ (.*)$/.exec(line)?.[1];
    return step === undefined ? [] : [step.trim()];
  });
}

function violated({ kind, model }: Search, trace: readonly string[]): string {
  if (kind === 'liveness') return model === 'lock.pml' ? 'taken_again' : 'accounted_for';
  const named = trace.map((line) => /^0 violates (\S+)$/.exec(line)?.[1]).find((name) => name !== undefined);
  if (named === undefined) throw new Error(`a violation that is none of ours:\n${trace.join('\n')}`);
  return named;
}

function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout: STEP_MS_MAX, maxBuffer: 64 << 20 };
    execFile(command, args, options, (error, stdout, stderr) => {
      // Spin ends with 1 after a guided simulation, and pan with 0 whatever it found.
      const isRefused =
        error !== null && (error.killed === true || typeof error.code !== 'number' || command === 'gcc');
      const isWrong = /syntax error|undeclared variable|aborting \(/.test(stdout + stderr);
      if (isRefused || isWrong)
        reject(new Error(`${command} ${args.join(' ')}: ${error?.message ?? ''}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}
