import { isLeaseholdError, LeaseholdError } from '../../errors.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { oneLine } from '../failure.ts';
import { StoreWait } from '../store-wait.ts';

/** As long as the library tries a verdict again: a database takes 5 to 6 s to fail over. */
const WAIT_MS = 10_000;

/** What a caller has to know of a call that the store did not take, or did not answer. */
export interface Unheard {
  readonly unopened: string;
  readonly unanswered: string;
}

/** What is true of each command of a claim where its store can't be reached. */
export const UNHEARD: Readonly<Record<'begin' | 'verdict' | 'extend' | 'return', Unheard>> = {
  begin: {
    unopened: 'the record was not begun: send nothing',
    unanswered: 'whether the record was begun is not known: send nothing before begin has answered',
  },
  verdict: {
    unopened: 'the verdict was not stored: give it again',
    unanswered: 'whether the verdict was stored is not known: give it again, the same one counts once',
  },
  extend: {
    unopened: 'the claim was not extended',
    unanswered: 'whether the claim was extended is not known: extend it again',
  },
  return: {
    unopened: 'nothing was given back',
    unanswered: 'whether anything was given back is not known: return it again',
  },
};

/** Patience with a store that is away while what was done has to be told to it. Objects on stdout have no word beside them. */
export function patienceOf({ host, clock }: CommandContext, { json }: GlobalOptions): StoreWait {
  const say = async (message: string): Promise<void> => {
    if (json !== true) await host.writeError(`leasehold: ${oneLine(message)}\n`);
  };
  return new StoreWait({ waitMs: WAIT_MS, clock, say, interrupted: new AbortController().signal });
}

/** The error with what it means for the caller: how far the call came is not in what a store says of itself. */
export function unheard(error: unknown, { unopened, unanswered }: Unheard, isOpen: boolean): unknown {
  if (!isLeaseholdError(error) || error.code === 'INVALID_ARGUMENT') return error;
  if (isOpen && error.code !== 'STORE_UNREACHABLE') return error;
  const message = `${error.message.replace(/\.$/, '')}; ${isOpen ? unanswered : unopened}`;
  return new LeaseholdError(error.code, message, { cause: error });
}
