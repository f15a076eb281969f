import { type Finding, ok, problem, unknown, warning } from '../../domain/doctor.ts';
import { judgeAlerts } from '../../domain/doctor-alerts.ts';
import { judgeHost } from '../../domain/doctor-host.ts';
import { judgeLocks } from '../../domain/doctor-locks.ts';
import { judgePlaces } from '../../domain/doctor-places.ts';
import { judgePostgres } from '../../domain/doctor-postgres.ts';
import { judgePools } from '../../domain/doctor-records.ts';
import { judgeSqlite } from '../../domain/doctor-sqlite.ts';
import type { Leasehold } from '../../engine/api.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { missingStore, storeUrl } from '../store-location.ts';
import { readLocks } from './lock-facts.ts';
import { readPools } from './pool-facts.ts';
import { readSections } from './sections.ts';
import { placeFacts } from './store-places.ts';

/**
 * All checks, from the host to the alerts. A store that can't be reached or used is a finding like any other, and
 * the checks that don't need it are made all the same. Writes nothing: a file that isn't there is not made, since
 * asking for stores must not bring one into the world.
 */
export interface Examination {
  readonly findings: readonly Finding[];
  /** False where the store can't be reached. */
  readonly isReached: boolean;
}

/** What has been found so far: it stays found when the next question gets no answer. */
type Note = (...findings: readonly Finding[]) => void;

/** Throws INVALID_ARGUMENT for an empty option or variable, and what is a fault of Leasehold itself. */
export async function examine(context: CommandContext, options: GlobalOptions): Promise<Examination> {
  const findings: Finding[] = [];
  const note: Note = (...found) => void findings.push(...found);
  const facts = context.hostFacts();
  const { userId, accounts } = facts;
  note(...judgeHost(facts), ...judgePlaces(placeFacts({ option: options, host: context.host, userId, accounts })));
  const { channels, faults } = readSections(options, context);
  const isSaid = ({ message }: Finding): boolean => findings.some((finding) => finding.message === message);
  note(...faults.filter((fault) => !isSaid(fault)));
  try {
    await examineStore(context, options, { userId, channels }, note);
    return { findings, isReached: true };
  } catch (error) {
    if (!isLeaseholdError(error) || error.code === 'INTERNAL' || error.code === 'INVALID_ARGUMENT') throw error;
    note(problem('store', error.message));
    return { findings, isReached: error.code !== 'STORE_UNREACHABLE' };
  }
}

async function examineStore(context: CommandContext, options: GlobalOptions, own: OwnFacts, note: Note): Promise<void> {
  const url = storeUrl(options, context.host);
  const missing = missingStore(url, context.host);
  if (missing !== null) {
    note(
      warning(
        'store',
        `${missing} is not there. The first run, acquire or claim makes it; if jobs run here already, they use another store.`,
      ),
    );
    return;
  }
  const leasehold = await context.openStore(url, { expectSchema: false });
  try {
    await examineOpened(context, leasehold, own, note);
  } finally {
    await leasehold.close().catch(() => {});
  }
}

/** What this host and its configuration bring along. */
interface OwnFacts {
  readonly userId: number | null;
  /** Null where the configuration of channels makes no sense. */
  readonly channels: readonly string[] | null;
}

async function examineOpened(
  context: CommandContext,
  leasehold: Leasehold,
  { userId, channels }: OwnFacts,
  note: Note,
): Promise<void> {
  const facts = await leasehold.inspect();
  note(ok('store', `${leasehold.store} answers.`));
  const own = facts.kind === 'postgres' ? judgePostgres(facts) : judgeSqlite(facts, userId);
  note(...own);
  const nowMs = facts.kind === 'postgres' ? facts.clock.serverAt : context.clock.read().wallMs;
  if (own.some(isInTheWay)) {
    note(unknown('lease', 'Locks can be looked at once schema and rights are in order.'));
  } else {
    const { locks, of } = await readLocks(leasehold, context.clock);
    note(...judgeLocks(locks, nowMs, of));
    note(...judgePools(await readPools(leasehold), nowMs));
  }
  note(...judgeAlerts(own.some(isInTheWay) ? null : await leasehold.alertCounts(), channels, nowMs));
}

function isInTheWay({ check, result }: Finding): boolean {
  return result === 'problem' && NEEDED_FOR_LOCKS.has(check);
}

const NEEDED_FOR_LOCKS: ReadonlySet<string> = new Set(['schema', 'rights']);
