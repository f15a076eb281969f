/**
 * A machine that sleeps between the store's answer and the start of the command. The engine is the
 * real one, on a clock that only the test moves; the command would be a real process.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CommandContext } from '../../src/cli/context.ts';
import { runGuarded } from '../../src/cli/guard/guard.ts';
import { Holding } from '../../src/cli/guard/holding.ts';
import { createGuardLog } from '../../src/cli/guard/log.ts';
import type { Session } from '../../src/cli/session.ts';
import { StoreWait } from '../../src/cli/store-wait.ts';
import type { Lock } from '../../src/engine/api.ts';
import { createCommandProcess } from '../../src/platform/command-host.ts';
import { openStage, type Stage } from '../engine/stage.ts';

const LEASE_MS = 60_000;

interface GuardedRun {
  readonly exitCode: number;
  readonly isStarted: boolean;
  readonly said: readonly string[];
}

/** Guards a command that leaves a mark; the machine sleeps for `asleepMs` once the lock is granted. */
async function runAsleep(stage: Stage, asleepMs: number): Promise<GuardedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-late-'));
  const mark = join(folder, 'mark');
  const said: string[] = [];
  const lock: Pick<Lock, 'acquire'> = {
    async acquire(options) {
      const start = await stage.lock.acquire(options);
      stage.clock.suspend(asleepMs);
      return start;
    },
  };
  // This process is the test runner's: what nobody caught is for it.
  const host = { ...createCommandProcess(), onFault() {} };
  const context = { host, clock: stage.clock } as unknown as CommandContext;
  const session = {
    leasehold: { lock: () => lock },
    url: 'sqlite::memory:',
    isJson: false,
    print: async () => {},
    deliver: async () => {},
    say: async (message: string) => void said.push(message),
  } as unknown as Session;
  const interrupted = new AbortController().signal;
  const exitCode = await runGuarded({
    context,
    session,
    plan: {
      lock: 'job',
      command: ['touch', mark],
      start: { leaseMs: LEASE_MS, runId: 'run-1' },
      isRepeatable: false,
      onLost: 'stop',
      holding: new Holding(stage.clock, { maxHoldMs: null, stallMs: null }),
      watchesOutput: false,
      tagsOutput: false,
      quietSkips: null,
      skipExitCode: null,
      report: null,
    },
    relay: { ended: null, passedOn: new Set(), interrupted, attach() {}, detach() {} },
    log: createGuardLog(() => {}),
    storeWait: new StoreWait({ waitMs: 0, clock: stage.clock, say: async () => {}, interrupted }),
  });
  const isStarted = existsSync(mark);
  rmSync(folder, { recursive: true });
  return { exitCode, isStarted, said };
}

describe('a machine that sleeps before the command starts', () => {
  it('for longer than the lease, starts nothing and ends with 77', async () => {
    await using stage = await openStage();
    const { exitCode, isStarted, said } = await runAsleep(stage, LEASE_MS + 1);
    assert.deepEqual([exitCode, isStarted], [77, false]);
    assert.match(said[0] ?? '', /the lease of lock "job" was over before the command could start; nothing was started/);
    assert.equal((await stage.lock.status())?.state, 'free');
  });

  it('for a moment, starts the command', async () => {
    await using stage = await openStage();
    const { exitCode, isStarted, said } = await runAsleep(stage, 1_000);
    assert.deepEqual([exitCode, isStarted, said], [0, true, []]);
  });
});
