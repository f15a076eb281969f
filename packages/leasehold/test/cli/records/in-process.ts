/**
 * Command lines run in this process, on a real store: what they say and end with is the same, and a process takes 0.2 s to
 * start. What hangs on processes (signals, streams, many at once) is tested with real ones beside it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../../src/cli/program.ts';
import { openLeasehold } from '../../../src/open-leasehold.ts';
import { createCommandProcess } from '../../../src/platform/command-host.ts';
import { hostFacts } from '../../../src/platform/host-facts.ts';
import { processIdentity } from '../../../src/platform/process-identity.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import { openCronSchedule } from '../../../src/schedules/croner.ts';
import { type Ended, linesOf, type StartOptions } from '../command-line.ts';
import type { Asked } from './answers.ts';

const ownProcess = createCommandProcess();

/** `store` instead of a SQLite file of its own. */
export function openInProcess(store?: string): Asked & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-in-process-'));
  const url = store ?? `sqlite:${join(folder, 'leasehold.db')}`;
  const run = (args: readonly string[], options: StartOptions = {}): Promise<Ended> =>
    runOnce(args, folder, url, options);
  return {
    folder,
    store: url,
    run,
    async json<T>(args: readonly string[]) {
      const { stdout, stderr, code } = await run([...args, '--json']);
      if (stderr !== '') throw new Error(`${args.join(' ')} ended with ${code} and said: ${stderr}`);
      return linesOf(stdout).map((line) => JSON.parse(line) as T);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

async function runOnce(args: readonly string[], folder: string, url: string, options: StartOptions): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const { stdin = '', env = {} } = options;
  const host = {
    ...ownProcess,
    env: { LEASEHOLD_STORE: url, ...env },
    parentPid: process.pid,
    homeDirectory: () => folder,
    workingDirectory: () => folder,
    async *readInput() {
      yield Buffer.from(stdin);
    },
    writeOut: (text: string) => ((stdout += text), Promise.resolve(null)),
    writeError: (text: string) => ((stderr += text), Promise.resolve(null)),
    isStdoutClosed: () => false,
    onSignals: () => {},
  };
  const code = await runProgram(args, {
    host,
    clock: systemClock,
    ids: systemIds,
    openSchedule: (spec) => Promise.resolve(openCronSchedule(spec)),
    version: '0.0.0',
    openStore: openLeasehold,
    openChannels: () => Promise.resolve([]),
    processIdentity,
    hostFacts,
    installScript: () => Promise.resolve(''),
  });
  return { code, signal: null, stdout, stderr };
}
