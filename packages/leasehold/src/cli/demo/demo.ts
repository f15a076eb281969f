import type { CommandContext } from '../context.ts';
import { EXIT, SIGNAL_BASE } from '../exit-codes.ts';
import { killedRun, withLock, withoutLock } from './parts.ts';
import { openStage } from './stage.ts';
import { createStory } from './story.ts';

/**
 * `leasehold demo`: shows on this machine, with real processes and a real HTTP target, what happens
 * to a job that outlives its interval. Takes about 20 s, needs nothing, leaves nothing behind.
 *
 * Returns 0 where everything it says held, 1 where something didn't, 128 + n where signal n ended it.
 */
export async function runDemo(context: CommandContext): Promise<number> {
  const { host } = context;
  const stop = new AbortController();
  let stoppedBy: NodeJS.Signals | null = null;
  host.onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    stoppedBy ??= signal;
    stop.abort();
  });
  const stage = await openStage(context);
  const story = createStory(context, stage, stop.signal);
  try {
    await host.writeOut(`${INTRODUCTION}\nEverything happens in ${stage.folder}, which is removed at the end.\n`);
    await withoutLock(story);
    await withLock(story);
    await killedRun(story);
    await host.writeOut(`\n${story.brokenCount === 0 ? HELD : NOT_HELD}\n`);
    return story.brokenCount === 0 ? EXIT.done : EXIT.promiseBroken;
  } catch (error) {
    if (stoppedBy === null) throw error;
    return SIGNAL_BASE + host.signalNumber(stoppedBy);
  } finally {
    await stage.close();
  }
}

const INTRODUCTION = `A job mails six customers and takes 3.5 s. It is started every second. The mails go to an
HTTP server on 127.0.0.1 that counts them by itself.`;

const HELD = `All of it held. Your own job: leasehold run NAME -- ./job.sh`;
const NOT_HELD = `Not all of it held. On a machine under heavy load the demo's clock can slip; please try once more,
and report it if it stays.`;
