import type { Command } from 'commander';
import { checkId } from '../../domain/limits.ts';
import type { Claim, ClaimOptions } from '../../engine/records/claim-api.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT, SIGNAL_BASE } from '../exit-codes.ts';
import { relaySignals, type SignalRelay } from '../guard/signals.ts';
import { parseHolder, parseLease, parseToken, withGlobalOptions } from '../options.ts';
import { type Session, withStore } from '../session.ts';
import { upkeepMsWithin } from '../upkeep.ts';
import { handOutClaim } from './claim-output.ts';
import { parseIds, readIds } from './ids-input.ts';
import { Offering } from './offering.ts';
import { namespaceSetting } from './namespace.ts';
import { lockTokenOf, parseClaimLimit, withPool } from './record-options.ts';

interface ClaimCommandOptions extends GlobalOptions {
  readonly holder?: string;
  readonly workflow?: string;
  readonly limit?: number;
  readonly lease?: number;
  readonly ids?: readonly string[];
  readonly idsFile?: string;
  readonly claimId?: string;
  readonly lockToken?: string;
  readonly explicitBegin?: boolean;
}

/**
 * `claim`: takes records before they are worked, by id or the next ones of the queue. Exit 0 also with nothing owned: that
 * somebody else has them is no failure. Nothing renews the claim but `extend`.
 */
export function register(program: Command, context: CommandContext): void {
  const command = withPool(
    program.command('claim').description('take records before they are worked; prints their token'),
  )
    .option('--holder <id>', 'who claims; default host:pid of the calling process', parseHolder)
    .option('--workflow <id>', 'what they are worked by, for status; default $LEASEHOLD_LOCK', parseWorkflow)
    .option('--limit <n>', "never more than so many, 1 to 10000; default the pool's, else 50", parseClaimLimit)
    .option('--lease <duration>', "how long the claim lasts unless extended; default the pool's, else 10m", parseLease)
    .option('--ids <ids>', 'the records that are wanted; without: the next ones of the queue', parseIds)
    .option('--ids-file <file>', 'the same, one a line or as objects; - for stdin')
    .option('--claim-id <id>', 'makes the call repeatable: the same id and holder get the same claim', parseClaimId)
    .option('--lock-token <token>', 'of a lock that must be held; default $LEASEHOLD_TOKEN under run', parseToken)
    .option('--explicit-begin', 'a record begins when begin says so; else each counts as begun at once');
  withGlobalOptions(command).action(async (pool: string, options: ClaimCommandOptions) => {
    await using spool = await readIds(options, context.host);
    const offering = spool === null ? null : new Offering(spool);
    const request = claimOptions(options, context, offering);
    const relay = relaySignals(context.host);
    await withStore(context, options, (session) => claim(context, session, { pool, request, offering, relay }), {
      startsWork: true,
      pool,
      ...namespaceSetting(options, context.host),
      ...(options.lease === undefined ? {} : { upkeepMs: upkeepMsWithin(options.lease) }),
    });
  });
}

const parseClaimId = (text: string): string => checkId(text, 'claim id');
const parseWorkflow = (text: string): string => checkId(text, 'workflow');

/** The process that holds is the one that goes on after this call: by default the caller, not ourselves. */
function claimOptions(options: ClaimCommandOptions, context: CommandContext, offering: Offering | null): ClaimOptions {
  const { host } = context;
  const { holder, limit, lease, claimId } = options;
  const workflow = options.workflow ?? host.env['LEASEHOLD_LOCK'];
  const runId = host.env['LEASEHOLD_RUN_ID'];
  const lockToken = lockTokenOf(options, host);
  return {
    holder: holder ?? `${host.hostName}:${host.parentPid}`,
    holderInfo: {
      host: host.hostName,
      pid: host.parentPid,
      ...(workflow === undefined || workflow === '' ? {} : { workflow }),
      ...(runId === undefined || runId === '' ? {} : { runId }),
    },
    begin: options.explicitBegin === true ? 'explicit' : 'implied',
    renewal: 'touch',
    ...(offering === null ? {} : { ids: offering.source }),
    ...(limit === undefined ? {} : { limit }),
    ...(lease === undefined ? {} : { leaseMs: lease }),
    ...(claimId === undefined ? {} : { claimId }),
    ...(lockToken === null ? {} : { lockToken }),
  };
}

interface Asked {
  readonly pool: string;
  readonly request: ClaimOptions;
  readonly offering: Offering | null;
  readonly relay: SignalRelay;
}

async function claim(
  { host }: CommandContext,
  session: Session,
  { pool, request, offering, relay }: Asked,
): Promise<number> {
  const answer = await session.leasehold.pool(pool).claim(request);
  await host.settleEvents();
  if (relay.ended !== null) {
    // The caller gave up while the store was asked: records whose token nobody gets must not wait for a lease to end.
    await giveBack(answer);
    return SIGNAL_BASE + host.signalNumber(relay.ended);
  }
  if (answer.remainingMs !== null) session.spare(answer.remainingMs);
  const lost = await handOutClaim({ host, session, answer, offering, isExplicit: request.begin === 'explicit' });
  if (lost === null) return EXIT.done;
  if (answer.owned.length === 0) return EXIT.outputLost;
  await giveBack(answer);
  await session.say(
    `claim ${answer.claimId} of pool "${pool}" was given back, because its token is lost: stdout ${lost}`,
  );
  return EXIT.outputLost;
}

/** Nothing was sent for any of them, since nobody knows that they are owned. */
async function giveBack(answer: Claim): Promise<void> {
  if (answer.owned.length > 0) await answer.returnUnworked(answer.owned.map(({ id }) => id));
}
