import { codeOf } from '../../n8n-nodes/code.ts';
import { doing, nameOf, reachedFrom } from '../../graph/flow.ts';
import { isTrigger, readsAt, writesAt, type Way } from '../../graph/paths.ts';
import { unguarded } from '../../graph/gates.ts';
import { startsByItself } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { findingOf, named, nodeEvidence, type StaticInput, unknownNodes } from './input.ts';
import { CLAIM, GUARD } from './steps.ts';

/** Work lies between reading records and marking them: whoever starts meanwhile reads the same ones. */
export function readToWrite(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  const open = unguarded(flow, 'runs');
  const byHand = startsByItself(flow).length === 0;
  const ways = input.ways.filter(
    ({ read, mark, steps }) =>
      // A trigger does not bring the same record to the next run.
      mark !== null && (steps ?? 0) > 0 && open.has(read) && open.has(mark) && !isTrigger(flow, read),
  );
  return worstOfEachRead(ways).map(({ read, mark, steps, between }) => {
    const at = mark ?? read;
    const loop = [...flow.loops].find(([, body]) => body.has(at) && !body.has(read))?.[0];
    const inside =
      loop === undefined
        ? ''
        : ` It marks inside the loop "${nameOf(flow, loop)}", so the last record waits for all before it.`;
    return findingOf({
      rule: 'window.read-to-write',
      severity: byHand ? 'info' : 'warning',
      message: `Between "${nameOf(flow, read)}" and the first status write, "${nameOf(flow, at)}", ${liesBetween(steps ?? 0)}: a run that starts in that time reads the same records and works them too.${inside}`,
      evidence: [
        nodeEvidence(flow, read, 'reads'),
        ...between.map((node) => nodeEvidence(flow, node, 'between')),
        nodeEvidence(flow, at, 'marks'),
      ],
      advice: `Put ${CLAIM} directly after "${nameOf(flow, read)}", and ${GUARD} after the trigger, so that no second run starts.`,
    });
  });
}

/** Something that a repeat does again comes before the mark. */
export function effectBeforeMark(input: StaticInput): readonly Finding[] {
  const { flow, calls } = input;
  const open = unguarded(flow, 'repeats');
  const together = unguarded(flow, 'runs');
  const byHand = startsByItself(flow).length === 0;
  const ways = input.ways.filter(({ mark, effects }) => mark !== null && effects.some((at) => open.has(at)));
  return worstOfEachRead(ways).map(({ read, mark, effects }) => {
    const at = mark ?? read;
    const isOut = effects.some((node) => writesAt(flow, node, calls).some(({ repeat }) => repeat === 'leaves'));
    const first = effects[0] ?? at;
    const comesAgain = !byHand && !isTrigger(flow, read);
    const consequence = isTrigger(flow, read)
      ? 'after a run that stops between the two it is done and not marked, and whoever repeats that run does it again.'
      : 'a run that stops between the two is followed by one that does it again.';
    return findingOf({
      rule: 'window.effect-before-mark',
      severity: isOut && comesAgain && effects.some((node) => together.has(node)) ? 'critical' : 'warning',
      message: `${named(flow, effects)} ${isOut ? "can't be taken back" : 'adds something'} and comes before the mark, "${nameOf(flow, at)}": ${consequence}`,
      evidence: [
        nodeEvidence(flow, read, 'reads'),
        ...effects.map((node) => nodeEvidence(flow, node, 'effect')),
        nodeEvidence(flow, at, 'marks'),
      ],
      advice: `Put ${CLAIM} between "${nameOf(flow, read)}" and "${nameOf(flow, first)}" and give its verdict after "${nameOf(flow, first)}"; or at least move "${nameOf(flow, at)}" before "${nameOf(flow, first)}".`,
    });
  });
}

/** Records are read and worked, and nothing notes that. */
export function noStatusWrite(input: StaticInput): readonly Finding[] {
  const { flow } = input;
  const open = unguarded(flow, 'repeats');
  return input.ways
    .filter(({ read, mark }) => mark === null && open.has(read) && !servesMarked(input, read))
    .map(({ read, effects }) => {
      // What remembers by itself is no status, but has its own finding.
      const fresh = reachedFrom(flow, [read], (at) => isMemory(input, at));
      return { read, effects: effects.filter((at) => open.has(at) && fresh.has(at)) };
    })
    .filter(({ effects }) => effects.length > 0)
    .map(({ read, effects }) => {
      const unknown = unknownNodes(input, reachedFrom(flow, [read]));
      const unless = unknown.length === 0 ? '' : ` It can't be told what ${named(flow, unknown)} does.`;
      return findingOf({
        rule: 'window.no-status-write',
        severity: isOfRecords(input, read) && unknown.length === 0 ? 'warning' : 'info',
        message: `No status write at all: nothing in this workflow marks what "${nameOf(flow, read)}" reads, so the next run reads the same records and does ${named(flow, effects)} for them again.${unless}`,
        evidence: [nodeEvidence(flow, read, 'reads'), ...effects.map((node) => nodeEvidence(flow, node, 'effect'))],
        advice: `Put ${CLAIM} between "${nameOf(flow, read)}" and "${nameOf(flow, effects[0] ?? read)}", or write a status back to where "${nameOf(flow, read)}" reads, before the work.`,
      });
    });
}

/** Of n8n its own workflows are read, which are kept and copied, and not worked off. */
const NO_RECORDS: ReadonlySet<string> = new Set(['http', 'rss', 'n8n']);

/** A plain GET may be of anything, the weather too; a search and a table hold records. */
export function isOfRecords({ flow, calls }: StaticInput, read: number): boolean {
  const places = readsAt(flow, read, calls);
  return places.some(({ system }) => !NO_RECORDS.has(system)) || / POST /.test(doing(flow, read)?.label ?? '');
}

/** What is read on the way to records that are marked is no list of records itself: settings, an account. */
function servesMarked({ flow, ways }: StaticInput, read: number): boolean {
  const reached = reachedFrom(flow, [read]);
  return ways.some((way) => way.mark !== null && reached.has(way.read));
}

function isMemory({ flow }: StaticInput, at: number): boolean {
  const guard = doing(flow, at)?.guard ?? null;
  if (guard === 'static-data') return codeOf(flow.definition.nodes[at]?.parameters ?? {}).remembers === 'list';
  return guard === 'remove-duplicates';
}

function worstOfEachRead(ways: readonly Way[]): readonly Way[] {
  const worst = new Map<number, Way>();
  for (const way of ways) {
    const known = worst.get(way.read);
    const isWorse =
      known === undefined ||
      way.effects.length > known.effects.length ||
      (way.effects.length === known.effects.length && (way.steps ?? 0) > (known.steps ?? 0));
    if (isWorse) worst.set(way.read, way);
  }
  return [...worst.values()];
}

function liesBetween(count: number): string {
  return count === 1 ? 'lies 1 node' : `lie ${count} nodes`;
}
