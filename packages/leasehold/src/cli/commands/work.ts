import type { Command } from 'commander';
import type { Leasehold } from '../../engine/api.ts';
import { CommandAlerts } from '../alerts/delivery.ts';
import { tellStoreError } from '../alerts/outage.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { namingStore, oneLine } from '../failure.ts';
import { withGlobalOptions } from '../options.ts';
import { explain, storeName } from '../session.ts';
import { storeUrl } from '../store-location.ts';
import { retentionSetting } from '../upkeep.ts';
import { type Done, dutiesOf } from '../work/duties.ts';
import { Worker } from '../work/worker.ts';

interface WorkCommandOptions extends GlobalOptions {
  readonly once?: boolean;
}

/** `work`: delivers alerts, and does what else a store needs done from time to time, until TERM or INT. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('work')
    .description('deliver alerts, watch for runs that do not come, sweep pools, take old rows; until TERM or Ctrl-C')
    .option('--once', 'do everything that is due once, then end');
  withGlobalOptions(command).action(async (options: WorkCommandOptions) => {
    const url = storeUrl(options, context.host);
    const alerts = await CommandAlerts.open(context, options, true);
    const name = storeName(url);
    const tellOutage = (error: unknown): Promise<void> =>
      tellStoreError(context, alerts, { store: name, lock: null }, error);
    const { host, clock, ids } = context;
    const stop = new AbortController();
    host.onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], () => stop.abort());
    const worker = new Worker({
      clock,
      ids,
      duties: dutiesOf(retentionSetting(options, host)),
      open: (): Promise<Leasehold> => context.openStore(url, { channels: alerts.channels }),
      tell: (duty, done) => tell(context, options.json ?? false, { duty, done }),
      say: (message) => host.writeError(`leasehold: ${namingStore(oneLine(message), name)}\n`),
      onOutage: tellOutage,
    });
    if (alerts.channels.length === 0) await host.writeError(`leasehold: ${NO_CHANNEL}\n`);
    try {
      await (options.once === true ? worker.once(stop.signal) : worker.until(stop.signal));
    } catch (error) {
      await tellOutage(error);
      throw explain(error, name, false);
    } finally {
      await worker.close();
    }
    context.finish(EXIT.done);
  });
}

const NO_CHANNEL = 'no channel is configured, so alerts stay undelivered; see "alerts" in a configuration file';

async function tell(
  { host }: CommandContext,
  isJson: boolean,
  { duty, done }: { readonly duty: string; readonly done: Done },
): Promise<void> {
  const lines = isJson ? [JSON.stringify({ duty, ...done.fields })] : done.sentences.map(oneLine);
  for (const line of lines) await host.writeOut(`${line}\n`);
}
