import { appendFile } from 'node:fs/promises';
import type { Start } from '../../engine/api.ts';
import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../ports/clock.ts';
import { describeFailure } from '../failure.ts';
import { runFields } from '../output/json.ts';
import type { Session } from '../session.ts';

/** Longer than any disk takes; a FIFO that nobody reads takes for ever. */
const WRITE_MS_MAX = 5_000;

/** How a guarded run ended. */
export interface RunEnd {
  readonly exitCode: number;
  /** True where the lease was lost, whether or not that stopped the command. */
  readonly lost: boolean;
  /** Null where no answer came: nothing was started. */
  readonly start: Start | null;
  /** Why nothing was started, where no answer says it. */
  readonly message?: string;
}

/** What is known of a start that got no answer. */
export interface UnansweredStart {
  readonly lock: string;
  readonly runId: string | null;
  readonly message: string;
}

/** The row of the run as the store has it now; where it can't be asked any more, what the start's answer said. */
export async function reportOfRun(session: Session, start: Start, end: RunEnd): Promise<string> {
  const { lock, runId } = start;
  let run: Run | undefined;
  try {
    [run] = await session.leasehold.runs({ lock, runId, limit: 1 });
  } catch {
    // The report says what it can; that the store is away was or will be said by others.
  }
  const { exitCode, lost } = end;
  return JSON.stringify({ ...(run === undefined ? answerFields(start) : runFields(run)), exitCode, lost });
}

/** The report of a start that got no answer: `outcome` is null, and `message` is the error's. */
export function reportOfFailure({ lock, runId, message }: UnansweredStart, exitCode: number): string {
  return JSON.stringify({ ...NOTHING_KNOWN, runId, lock, message, exitCode, lost: false });
}

function answerFields(start: Start): object {
  const { runId, lock, outcome, slotAt, message } = start;
  const reason = start.outcome === 'skipped' || start.outcome === 'bypassed' ? start.reason : null;
  const fence = start.outcome === 'acquired' || start.outcome === 'reclaimed' ? start.fence : null;
  return { ...NOTHING_KNOWN, runId, lock, outcome, reason, slotAt, fence, message };
}

const NOTHING_KNOWN = {
  runId: null,
  lock: null,
  outcome: null,
  reason: null,
  slotAt: null,
  holder: null,
  holderInfo: null,
  trigger: null,
  fence: null,
  startedAt: null,
  endedAt: null,
  status: null,
  leaseMs: null,
  renewedAt: null,
  ageMs: null,
  previousRunId: null,
  message: null,
};

/** Appends one line, in one write, so that the lines of runs that end together stay whole. Never throws. */
export async function appendReport(
  file: string,
  line: string,
  clock: Clock,
  say: (message: string) => Promise<unknown>,
): Promise<void> {
  const timeout = clock.sleep(WRITE_MS_MAX).then(() => {
    throw new Error('it took too long');
  });
  try {
    await Promise.race([appendFile(file, `${line}\n`), timeout]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : describeFailure(error).line;
    await say(`could not write the report to ${file}: ${reason}`);
  }
  timeout.catch(() => {});
}
