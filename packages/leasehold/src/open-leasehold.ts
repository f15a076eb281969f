import { type ChannelOptions, type ChannelSpec, parseChannels } from './domain/channel-spec.ts';
import { checkName } from './domain/limits.ts';
import { isSupportedNode, unsupportedNodeMessage } from './domain/node-version.ts';
import type { ProbeSettings } from './domain/probe-spec.ts';
import { parseStoreUrl } from './domain/store-url.ts';
import type { Leasehold } from './engine/api.ts';
import { composeLeasehold } from './engine/leasehold.ts';
import { LeaseholdError } from './errors.ts';
import { nodeVersion } from './platform/node-version.ts';
import { defaultHolder, processIdentity } from './platform/process-identity.ts';
import { writeStandardError } from './platform/standard-error.ts';
import { systemClock } from './platform/system-clock.ts';
import { systemIds } from './platform/system-ids.ts';
import type { Channel } from './ports/channel.ts';
import { type Logger, silentLogger } from './ports/logger.ts';
import type { Probe } from './ports/probe.ts';
import type { Schedule, ScheduleSpec } from './ports/schedule.ts';
import type { Store } from './ports/store.ts';

/** What a Leasehold may be opened with beside its store. */
export interface OpenOptions {
  /** Told what no caller waits for: a renewal that failed, a release that was given up. Default: nobody. */
  readonly logger?: Logger;
  /**
   * False opens a PostgreSQL store whose schema is still to be installed, so that `migrate` can be
   * called. Default true. The embedded store installs its schema by itself either way.
   */
  readonly expectSchema?: boolean;
  /**
   * Systems that may be asked whether a holder is alive (its `holderInfo.probe` names one), or probes of your own.
   * The processes of this host always are.
   */
  readonly probes?: ProbeSettings | readonly Probe[];
  /**
   * Where `deliverAlerts` sends: channels by name, `{ ops: { type: 'webhook', url, secret } }`, or channels of your
   * own. Default: nowhere.
   */
  readonly channels?: Readonly<Record<string, ChannelOptions>> | readonly Channel[];
  /**
   * Goes into the effectKeys of records: staging and production, say, so that a record of one is no repeat of the other's
   * at a provider that both use. 1 to 255 bytes; default none. Keys that are stored keep the one that they were made with.
   */
  readonly namespace?: string;
}

/**
 * Opens the store at `url`: `sqlite:PATH`, `sqlite::memory:` or `postgres://…` (what the URL leaves
 * out comes from `PG*` and `.pgpass`). Only the driver that is needed gets loaded.
 *
 * Throws NODE_TOO_OLD, INVALID_ARGUMENT (no text; a probe or a channel that makes no sense), STORE_UNREACHABLE,
 * STORE_UNUSABLE (not a store's
 * URL, a directory, not a database, a missing driver), STORE_FORBIDDEN, SCHEMA_MISSING, SCHEMA_NEWER.
 * No message carries credentials. A crash while opening leaves nothing that the next opening minds.
 *
 *     await using leasehold = await openLeasehold('sqlite:/var/lib/jobs/leasehold.db');
 *     await leasehold.lock('hourly-enrich').run({ leaseMs: 300_000 }, async ({ signal }) => enrich(signal));
 */
export async function openLeasehold(url: string, options: OpenOptions = {}): Promise<Leasehold> {
  const version = nodeVersion();
  if (!isSupportedNode(version)) throw new LeaseholdError('NODE_TOO_OLD', unsupportedNodeMessage(version));
  if (typeof url !== 'string') throw new LeaseholdError('INVALID_ARGUMENT', "the store's URL must be text");
  const namespace = options.namespace === undefined ? '' : checkName(options.namespace, 'namespace');
  const probes = [processProbe, ...(await openProbes(options.probes ?? {}))];
  const { channels: given = [] } = options;
  const channels = Array.isArray(given)
    ? checkChannels(given as readonly Channel[])
    : await openChannels(parseChannels(given));
  const store = await openStore(url, options);
  const identity = processIdentity();
  return composeLeasehold({
    store,
    clock: systemClock,
    ids: systemIds,
    openSchedule,
    logger: options.logger ?? silentLogger,
    self: {
      holder: defaultHolder(identity),
      holderInfo: identity,
      workInfo: { ...identity, probe: 'process', childGroup: 'none' },
    },
    probes,
    channels,
    namespace,
  });
}

/** Only what is named gets loaded. Throws INVALID_ARGUMENT for settings that make no sense. */
async function openProbes(settings: ProbeSettings | readonly Probe[]): Promise<readonly Probe[]> {
  if (isList(settings)) return settings;
  const { n8n, http } = settings;
  return [
    ...(n8n === undefined ? [] : [(await import('./probes/n8n/probe.ts')).createN8nProbe(n8n, systemClock)]),
    ...(http === undefined ? [] : [(await import('./probes/http/probe.ts')).createHttpProbe(http, systemClock)]),
  ];
}

function isList(settings: ProbeSettings | readonly Probe[]): settings is readonly Probe[] {
  return Array.isArray(settings);
}

/** Loaded when a start meets a process that it can ask after, which most never do. */
const processProbe: Probe = {
  system: 'process',
  async ask(subject, timeoutMs) {
    const { createProcessProbe } = await import('./probes/process/probe.ts');
    const { createProcessTable } = await import('./platform/process-table.ts');
    return await createProcessProbe(createProcessTable()).ask(subject, timeoutMs);
  },
};

/** What a channel has confirmed is remembered by its name. */
function checkChannels(channels: readonly Channel[]): readonly Channel[] {
  const names = channels.map((channel) => channel.name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return channels;
  throw new LeaseholdError('INVALID_ARGUMENT', `two channels are called "${twice}"; give each a name of its own`);
}

/** The channels of these specifications, ready to send. Only the kinds that are named get loaded. `writeError`: for a log without a file. */
export async function openChannels(
  specs: readonly ChannelSpec[],
  writeError: (text: string) => Promise<string | null> = writeStandardError,
): Promise<Channel[]> {
  return await Promise.all(specs.map((spec) => openChannel(spec, writeError)));
}

async function openChannel(spec: ChannelSpec, writeError: (text: string) => Promise<string | null>): Promise<Channel> {
  switch (spec.type) {
    case 'webhook':
      return (await import('./alerts/webhook/channel.ts')).webhookChannel(spec, systemClock);
    case 'log':
      return (await import('./alerts/log/channel.ts')).logChannel(spec, writeError);
  }
}

async function openSchedule(spec: ScheduleSpec): Promise<Schedule> {
  const { openCronSchedule } = await import('./schedules/croner.ts');
  return openCronSchedule(spec);
}

async function openStore(url: string, options: OpenOptions): Promise<Store> {
  const location = parseStoreUrl(url);
  switch (location.kind) {
    case 'sqlite': {
      const { openSqliteStore } = await import('./stores/sqlite/store.ts');
      return await openSqliteStore({ path: location.path, clock: systemClock, ids: systemIds });
    }
    case 'postgres': {
      const { openPostgresStore } = await import('./stores/postgres/store.ts');
      const expectSchema = options.expectSchema ?? true;
      const { url: databaseUrl, name } = location;
      return await openPostgresStore({ url: databaseUrl, name, clock: systemClock, ids: systemIds, expectSchema });
    }
    case 'service':
      throw new LeaseholdError(
        'STORE_UNUSABLE',
        `${location.name} is a Leasehold service, and its client comes with a later release; use sqlite:PATH or postgres://…`,
      );
  }
}
