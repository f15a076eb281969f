import { readFileSync } from 'node:fs';
import { createCommandProcess } from '../platform/command-host.ts';
import { hostFacts } from '../platform/host-facts.ts';
import { processIdentity } from '../platform/process-identity.ts';
import { systemClock } from '../platform/system-clock.ts';
import { systemIds } from '../platform/system-ids.ts';
import { describeFailure } from './failure.ts';
import { runProgram } from './program.ts';

/**
 * The command line's composition: the one place where commands, platform and stores meet. Importing
 * this module runs it, which is what `bin/leasehold.js` does. Stores are loaded when one is opened:
 * `--help` and a mistyped option need none.
 */
const commandProcess = createCommandProcess();
commandProcess.onFault((error) => void endInFault(error));

const exitCode = await runProgram(commandProcess.argv, {
  host: commandProcess,
  clock: systemClock,
  ids: systemIds,
  openSchedule: async (spec) => (await import('../schedules/croner.ts')).openCronSchedule(spec),
  version: readVersion(),
  openStore: async (url, options) => (await import('../open-leasehold.ts')).openLeasehold(url, options),
  openChannels: async (specs) => {
    const { openChannels } = await import('../open-leasehold.ts');
    return await openChannels(specs, (text) => commandProcess.writeError(text));
  },
  processIdentity,
  hostFacts,
  installScript: async () => (await import('../stores/postgres/install-script.ts')).installScript(),
});
await commandProcess.finishWriting();
commandProcess.exit(exitCode);

async function endInFault(error: unknown): Promise<never> {
  const failure = describeFailure(error);
  await commandProcess.writeError(`leasehold: ${failure.line}\n`);
  await commandProcess.finishWriting();
  return commandProcess.exit(failure.exitCode);
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String((manifest as { version?: unknown }).version);
}
