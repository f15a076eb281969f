import type { ReleaseAnswer } from '../domain/answers.ts';
import type { RunStatus } from '../domain/run.ts';
import type { Logger } from '../ports/logger.ts';
import type { RunResult, Start } from './api.ts';

/**
 * Runs `work` under a start that proceeded, and releases on every path: on return, on a throw and on
 * a rejected promise. The work's own result or error always comes through; a release that failed is
 * logged and given back as null.
 */
export async function runWork<T>(
  start: Start,
  work: (start: Start) => Promise<T> | T,
  logger: Logger,
): Promise<RunResult<T>> {
  if (!start.proceed) return { proceed: false, start };
  let result: T;
  try {
    result = await work(start);
  } catch (error) {
    await releaseQuietly(start, 'failure', logger);
    throw error;
  }
  return { proceed: true, start, result, release: await releaseQuietly(start, 'success', logger) };
}

async function releaseQuietly(start: Start, status: RunStatus, logger: Logger): Promise<ReleaseAnswer | null> {
  try {
    return await start.release({ status });
  } catch (error) {
    const { lock, runId } = start;
    const message = `Lock "${lock}" was not released after its work ended with ${status}; its lease ends by itself.`;
    logger.error(message, { lock, runId, status, error });
    return null;
  }
}
