import type { Command } from 'commander';
import type { Leasehold } from '../engine/api.ts';
import type { HostFacts } from '../domain/doctor-host.ts';
import type { ChannelSpec } from '../domain/channel-spec.ts';
import type { HolderInfo } from '../domain/lock-state.ts';
import type { Channel } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { CommandHost } from '../ports/command-host.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProbeSettings } from '../domain/probe-spec.ts';
import type { OpenSchedule } from '../ports/schedule.ts';

/**
 * What every command gets: its process, and how to reach a store. Composed in `main.ts`; the
 * commands know nothing else of stores or of the platform.
 */
export interface CommandContext {
  readonly host: CommandHost;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Reads a schedule, so that a mistake in one is found before a store is opened. */
  readonly openSchedule: OpenSchedule;
  /** The command that `run` guards: what followed `--`; null where nothing did. */
  readonly guarded: readonly string[] | null;
  readonly version: string;
  /** Opens the store at this URL. Throws LeaseholdError. */
  openStore(url: string, options: StoreOptions): Promise<Leasehold>;
  /** The channels of these specifications, ready to send. */
  openChannels(specs: readonly ChannelSpec[]): Promise<readonly Channel[]>;
  /** Identity of this process, so that a probe can prove it ended. */
  processIdentity(): HolderInfo;
  /** What `doctor` judges this host by. */
  hostFacts(): HostFacts;
  /** The schema of the PostgreSQL store as one text. */
  installScript(): Promise<string>;
  /** Remembers how the process is to end; the last one counts. */
  finish(exitCode: number): void;
}

export interface StoreOptions {
  /** False: the schema need not be there yet. Default true. */
  readonly expectSchema?: boolean;
  /** Told what no caller waits for. Default: nobody. */
  readonly logger?: Logger;
  /** Systems that may be asked after holders, beside the processes of this host. Default: none. */
  readonly probes?: ProbeSettings;
  /** Where alerts go. Default: nowhere. */
  readonly channels?: readonly Channel[];
  /** Goes into the effectKey of new records. Default empty. */
  readonly namespace?: string;
}

/** The options that every command takes. */
export interface GlobalOptions {
  readonly store?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** A subcommand: adds itself to the program, with what it does. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;
