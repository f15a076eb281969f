/** Command lines run in this process, with no store and no channel behind them: what is understood ends with 69. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import type { ChannelSpec } from '../../src/domain/channel-spec.ts';
import { LeaseholdError } from '../../src/errors.ts';
import { createCommandProcess } from '../../src/platform/command-host.ts';
import { hostFacts } from '../../src/platform/host-facts.ts';
import { processIdentity } from '../../src/platform/process-identity.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { systemIds } from '../../src/platform/system-ids.ts';
import type { CommandHost } from '../../src/ports/command-host.ts';
import type { Channel } from '../../src/ports/channel.ts';
import { openCronSchedule } from '../../src/schedules/croner.ts';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ownProcess = createCommandProcess();

/** Names the channel of the examples. */
const folder = mkdtempSync(join(tmpdir(), 'leasehold-help-'));
const configuration = join(folder, 'leasehold.json');
writeFileSync(configuration, JSON.stringify({ alerts: { channels: { ops: { type: 'log' } } } }));
after(() => rmSync(folder, { recursive: true }));

/**
 * Runs a command line in this process, with a store that nobody can reach and a channel that nothing arrives at: exit 69
 * is a line that was understood. `work` would ask for ever, and gets its TERM when it first waits.
 */
export async function say(argv: readonly string[], own: Partial<CommandHost> = {}): Promise<Said> {
  let [stdout, stderr] = ['', ''];
  let terminate = (): void => {};
  const host = {
    ...ownProcess,
    env: {
      LEASEHOLD_TOKEN: 'token',
      LEASEHOLD_CLAIM_TOKEN: 'token',
      LEASEHOLD_STORE: 'postgres://jobs@db/jobs',
      LEASEHOLD_CONFIG: configuration,
    },
    async *readInput() {
      yield Buffer.from('4711\n4712\n');
    },
    writeOut: (text: string) => ((stdout += text), Promise.resolve(null)),
    writeError: (text: string) => ((stderr += text), Promise.resolve(null)),
    writeAside: () => {},
    onSignals: (_signals: unknown, react: (signal: NodeJS.Signals) => void) => {
      if (argv[0] === 'work') terminate = () => react('SIGTERM');
    },
    ...own,
  };
  const code = await runProgram(argv, {
    host,
    // Whoever would wait for the store gives up at once.
    clock: {
      ...systemClock,
      bootId: null,
      read: () => systemClock.read(),
      sleep: () => {
        terminate();
        return Promise.reject(new Error('no'));
      },
    },
    ids: systemIds,
    openSchedule: (spec) => Promise.resolve(openCronSchedule(spec)),
    version: '0.0.0',
    openStore: () => Promise.reject(new LeaseholdError('STORE_UNREACHABLE', 'nobody is there')),
    openChannels: (specs) => Promise.resolve(specs.map(deaf)),
    processIdentity,
    hostFacts,
    installScript: () => Promise.resolve('-- the schema\n'),
  });
  return { code, stdout, stderr };
}

const deaf = (spec: ChannelSpec): Channel => ({
  ...spec,
  send: () => Promise.resolve({ confirmed: false, said: 'nobody is there', retryAfterMs: null }),
});
