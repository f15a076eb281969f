import { CUSTOMERS, type Started } from './stage.ts';
import { countMails, type Story } from './story.ts';

/** A start every second: the interval that the job of 3.5 s outlives. */
const EVERY_MS = 1_000;
/** No part takes nearly as long; a process that hangs ends the demo instead of holding it up. */
const PATIENCE_MS = 20_000;
/** A job of 3.5 s meets three starts; a machine that needs three times as long is no place for a demo. */
const STARTS_MAX = 12;
/** A start soon after the kill meets the lease; the ones each second after it meet its end. */
const FIRST_RETRY_MS = 300;
/** How long the killed run's lease keeps others out. */
const SHORT_LEASE = '2s';

/** Part 1: the clock is not a queue. */
export async function withoutLock(story: Story): Promise<void> {
  const { stage } = story;
  await stage.beginAnew();
  await story.begin('1. A job that takes 3.5 s, started every second, and nothing guards it');
  const jobs: Started[] = [];
  for (let index = 0; index < 4; index += 1) {
    await story.until(index * EVERY_MS);
    jobs.push(stage.startJob());
    await story.tell(`start ${index + 1}: runs`);
  }
  await endOfAll(story, jobs);
  await story.tell('all four ended with exit code 0');
  const { text, doubled } = countMails(stage);
  await story.conclude(text);
  await story.promise('without a lock, customers are mailed more than once', doubled > 0);
}

/** Part 2: the same starts, one run at a time. */
export async function withLock(story: Story): Promise<void> {
  const { stage } = story;
  await stage.beginAnew();
  await story.begin('2. The same job and the same starts, as: leasehold run hourly-mail -- node job.mjs');
  const starts = await startUntilFirstIsOver(story);
  await endOfAll(story, starts);
  const outcomes = (await stage.runs()).map((run) => run.outcome);
  const codes = starts.map((start) => start.exitCode);
  await story.tell(`outcomes: ${outcomes.join(', ')}; exit codes: ${codes.join(', ')}`);
  const { text, isOnceEach } = countMails(stage);
  await story.conclude(text);
  const skipCount = outcomes.filter((outcome) => outcome === 'skipped').length;
  const saidCount = starts.filter((start) =>
    start.err.some((line) => line.includes('previous run still running')),
  ).length;
  await story.promise(
    'every start beside the first run was skipped, and said so',
    skipCount >= 3 && saidCount === skipCount,
  );
  await story.promise('the next start after it ran again', outcomes.at(-1) === 'acquired' && codes.at(-1) === 0);
  await story.promise('every customer was mailed exactly once', isOnceEach);
}

/** A start every second while the first one runs, and one more. */
async function startUntilFirstIsOver(story: Story): Promise<Started[]> {
  const starts: Started[] = [];
  for (let isLast = false; !isLast && starts.length < STARTS_MAX; ) {
    await story.until(starts.length * EVERY_MS);
    isLast = starts[0]?.isOver ?? false;
    await story.tell(`start ${starts.length + 1}`);
    starts.push(story.stage.startGuarded([], (line) => void story.tell(line)));
  }
  return starts;
}

/** Part 3: a run that dies without a word. */
export async function killedRun(story: Story): Promise<void> {
  const { stage } = story;
  await stage.beginAnew();
  await story.begin(`3. A run that is killed half-way, under a lease of ${SHORT_LEASE}`);
  const first = startShort(story);
  await story.tell('start 1');
  const isHalfWay = await story.waitFor(() => first.out.includes('mailed 2'), PATIENCE_MS);
  killWithJob(story, first);
  await story.tell(`kill -9 of start 1 and its job, after 2 of ${CUSTOMERS} mails: nobody is left to release the lock`);
  const killedAtMs = story.elapsedMs();
  const later: Started[] = [];
  for (let index = 0; index < 4 && !later.some(hasReclaimed); index += 1) {
    await story.until(killedAtMs + FIRST_RETRY_MS + index * EVERY_MS);
    await story.tell(`start ${index + 2}`);
    later.push(startShort(story));
    await story.waitFor(() => later.some(hasReclaimed), EVERY_MS - FIRST_RETRY_MS);
  }
  await endOfAll(story, later);
  await story.tell('it has ended');
  const { text, isOnceEach } = countMails(stage);
  await story.conclude(text);
  await story.promise('the killed run kept others out no longer than its lease', isHalfWay && later.some(hasReclaimed));
  await story.promise('the run that took over did the rest, every customer was mailed exactly once', isOnceEach);
}

function startShort(story: Story): Started {
  return story.stage.startGuarded(['--lease', SHORT_LEASE], (line) => void story.tell(line));
}

/** The job leads a group of its own, so killing the guard's alone would leave it at work. */
function killWithJob({ stage }: Story, guarded: Started): void {
  stage.kill(guarded.groupId);
  const jobId = guarded.out.map((line) => /^began (\d+)$/.exec(line)?.[1]).find((id) => id !== undefined);
  if (jobId !== undefined) stage.kill(Number(jobId));
}

function hasReclaimed(started: Started): boolean {
  return started.err.some((line) => line.includes('Reclaimed stale lease'));
}

async function endOfAll(story: Story, all: readonly Started[]): Promise<void> {
  const haveEnded = await story.waitFor(() => all.every((started) => started.isOver), PATIENCE_MS);
  if (!haveEnded) await story.promise(`every process ends within ${PATIENCE_MS / 1_000} s`, false);
}
