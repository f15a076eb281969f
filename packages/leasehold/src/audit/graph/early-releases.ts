/**
 * Locks that are given back while there is still work to do: before the work, in the middle of it, on a branch that n8n
 * runs first, or at the end of a loop's first pass.
 */
import { awaits } from '../readers/n8n-workflow/awaits.ts';
import { doing, type Flow, leadingTo } from './flow.ts';
import { emptyLocks, termsAt } from './empty-locks.ts';
import { gotSide } from './got-side.ts';
import { unfinishedAt, workAmong } from './unfinished.ts';

export interface EarlyRelease {
  readonly lock: number;
  readonly release: number;
  /** What is worked when the lock is free again. */
  readonly after: readonly number[];
  /** The nodes that what is open again begins with. */
  readonly from: readonly number[];
  /** True where `after` is a sub-workflow that was started before, and that the run doesn't wait for. */
  readonly isUnawaited: boolean;
  /** The loop whose first pass gives it back; null where there is none. */
  readonly loop: number | null;
}

const known = new WeakMap<Flow, readonly EarlyRelease[]>();
/** Of one workflow: locks, and places that give them back. */
const LOCKS_MAX = 10;
const RELEASES_MAX = 20;

export function earlyReleases(flow: Flow): readonly EarlyRelease[] {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const empty = emptyLocks(flow);
  const locks = flow.order.filter((at) => isLock(flow, at) && !empty.has(at)).slice(0, LOCKS_MAX);
  const releases = flow.order.filter((at) => mayFree(flow, at)).slice(0, RELEASES_MAX);
  const found = locks.flatMap((lock) => {
    const reached = releases.length === 0 ? NOTHING : reachedWithoutErrors(flow, lock);
    const under = releases.length === 0 ? NOTHING : gotSide(flow, lock);
    return releases
      .filter((at) => reached.has(at) && under.has(at) && mayBeOf(flow, at, lock))
      .flatMap((at) => earlyAt(flow, lock, at) ?? []);
  });
  known.set(flow, found);
  return found;
}

const NOTHING: ReadonlySet<number> = new Set();

function earlyAt(flow: Flow, lock: number, release: number): EarlyRelease | null {
  const targets = [...(flow.next[release] ?? []).map(({ to }) => to), ...drawnBelow(flow, release)];
  const after = unfinishedAt(flow, lock, release, targets);
  if (after.length > 0) return { lock, release, after, from: targets, loop: null, isUnawaited: false };
  const running = unawaitedBetween(flow, lock, release);
  if (running.length > 0)
    return { lock, release, after: running, from: [...running, ...targets], loop: null, isUnawaited: true };
  const loop = [...flow.loops].find(
    ([, body]) => body.has(release) && !body.has(lock) && !isFreedAtLast(flow, release, body),
  );
  if (loop === undefined) return null;
  const again = workAmong(flow, lock, loop[1]);
  if (again.length === 0) return null;
  const from = (flow.next[loop[0]] ?? []).map(({ to }) => to).filter((to) => loop[1].has(to));
  return { lock, release, after: again, from: [...targets, ...from], loop: loop[0], isUnawaited: false };
}

/** Sub-workflows that go on by themselves, where they are all the work there is. */
function unawaitedBetween(flow: Flow, lock: number, release: number): readonly number[] {
  const before = leadingTo(flow, release);
  const done = workAmong(flow, lock, before).filter((at) => at !== lock);
  const isRunning = (at: number): boolean => doing(flow, at)?.does === 'call' && !awaits(flow, at);
  return done.every(isRunning) ? done : [];
}

function isLock(flow: Flow, at: number): boolean {
  return doing(flow, at)?.guard === 'lock' || doing(flow, at)?.asks === 'first';
}

function mayFree(flow: Flow, at: number): boolean {
  return doing(flow, at)?.call?.does === 'free' || doing(flow, at)?.guard === 'redis-delete';
}

/** Two constants that differ are two locks; whatever else may be one. A counter is deleted by its own key. */
function mayBeOf(flow: Flow, release: number, lock: number): boolean {
  const isCounter = doing(flow, lock)?.asks === 'first';
  if (isCounter !== (doing(flow, release)?.guard === 'redis-delete')) return false;
  const keyOf = (at: number): unknown => flow.definition.nodes[at]?.parameters['key'];
  if (isCounter) return keyOf(release) === keyOf(lock);
  const call = doing(flow, release)?.call;
  const given = call?.does === 'free' ? call.name : null;
  const taken = termsAt(flow, lock)?.name ?? null;
  return given === null || taken === null || given === taken;
}

/** Where all goes well: what stands at error outputs ends the run, mostly. */
function reachedWithoutErrors(flow: Flow, from: number): ReadonlySet<number> {
  const reached = new Set<number>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const hasErrorOutput = flow.definition.nodes[at]?.onError === 'error-output';
    for (const { to, output } of flow.next[at] ?? []) if (!hasErrorOutput || output === 0) waiting.push(to);
  }
  return reached;
}

/** Of branches that leave one output together n8n runs the upper one first: those below a release come after it. */
function drawnBelow(flow: Flow, release: number): readonly number[] {
  const topOf = (at: number): readonly [number, number] => {
    const [x = 0, y = 0] = flow.definition.nodes[at]?.position ?? [];
    return [y, x];
  };
  const [y, x] = topOf(release);
  return (flow.before[release] ?? []).flatMap((from) => {
    const targets = flow.next[from] ?? [];
    const outputs = new Set(targets.filter(({ to }) => to === release).map(({ output }) => output));
    return targets
      .filter(({ to, output }) => {
        const [otherY, otherX] = topOf(to);
        return to !== release && outputs.has(output) && (otherY > y || (otherY === y && otherX > x));
      })
      .map(({ to }) => to);
  });
}

/** True where a pass may come back to the loop without giving back: what chooses does so at the last one, mostly. */
function isFreedAtLast(flow: Flow, release: number, body: ReadonlySet<number>): boolean {
  const next = Map.groupBy(
    flow.definition.edges.filter(({ type }) => type === 'main'),
    ({ from }) => from,
  );
  const loop = [...flow.loops].find(([, each]) => each === body)?.[0];
  const seen = new Set<number>();
  const waiting = (next.get(loop ?? -1) ?? []).map(({ to }) => to).filter((to) => body.has(to));
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === loop) return true;
    if (seen.has(at) || at === release) continue;
    seen.add(at);
    waiting.push(...(next.get(at) ?? []).map(({ to }) => to));
  }
  return false;
}
