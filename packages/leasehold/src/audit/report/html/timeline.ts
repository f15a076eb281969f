import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { PictureRun } from '../../model/picture.ts';
import { place, ticksBetween } from './scale.ts';
import { durationText, minuteText, tickText } from './words.ts';

const WIDTH = 900;
const LANE = 16;
const AXIS = 22;
/** Runs below each other; more at one instant are drawn in the last. */
const LANES_MAX = 8;
/** Runs in the picture: as many as can be told apart. */
const RUNS_MAX = 40;

/**
 * The stretch of history where most runs lie over one another, each run a bar, those that began before an earlier one's
 * end in another colour and in a lane below. Null with fewer than two runs.
 */
export function timelinePicture(runs: readonly PictureRun[]): HtmlEscapedString | Promise<HtmlEscapedString> | null {
  const shown = worstStretch(runs);
  const [first] = shown;
  if (first === undefined || shown.length < 2) return null;
  const span = [first.startMs, Math.max(...shown.map(({ endMs }) => endMs))] as const;
  const lanes = lanesOf(shown);
  const height = Math.max(...lanes, 0) * LANE + LANE + AXIS;
  const ticks = ticksBetween(span[0], span[1], 9);
  const stepMs = (ticks[1] ?? span[1]) - (ticks[0] ?? span[0]);
  return html`<figure role="group" tabindex="0" aria-label="Timeline"><svg viewBox="0 0 ${WIDTH} ${height}" role="img"
aria-label="${describe(shown, span)}">${ticks.map((tick) => {
    const x = place(tick, span, WIDTH);
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height - AXIS}"/>${
      x > WIDTH - 40 ? '' : html`<text x="${x}" y="${height - 6}">${tickText(tick, stepMs)}</text>`
    }`;
  })}${shown.map((run, index) => bar(run, lanes[index] ?? 0, span))}</svg></figure>
<p class="small soft">${minuteText(span[0])} to ${minuteText(span[1])} UTC. Each bar is a run; a run that began before an earlier
one had ended is red, and in a row of its own.</p>`;
}

function bar(
  run: PictureRun,
  lane: number,
  span: readonly [number, number],
): HtmlEscapedString | Promise<HtmlEscapedString> {
  const x = place(run.startMs, span, WIDTH);
  const width = Math.max(2, place(run.endMs, span, WIDTH) - x);
  const title = `run ${run.runId}: ${minuteText(run.startMs)}, took ${durationText(run.endMs - run.startMs)}`;
  return html`<rect class="${run.isOverlap ? 'overlap' : 'run'}" x="${x}" y="${lane * LANE + 2}" width="${width}"
height="${LANE - 4}" rx="2"><title>${title}</title></rect>`;
}

/** So many runs in a row that the most of them overlap; the newest such stretch. */
export function worstStretch(runs: readonly PictureRun[]): readonly PictureRun[] {
  const size = Math.min(RUNS_MAX, runs.length);
  let [count, best, bestStart] = [0, -1, 0];
  runs.forEach((run, index) => {
    count += run.isOverlap ? 1 : 0;
    if (index >= size && runs[index - size]?.isOverlap === true) count -= 1;
    if (index >= size - 1 && count >= best) [best, bestStart] = [count, index - size + 1];
  });
  return runs.slice(bestStart, bestStart + size);
}

/** Each run in the first lane that is free at its start. */
function lanesOf(runs: readonly PictureRun[]): readonly number[] {
  const freeAt: number[] = [];
  return runs.map(({ startMs, endMs }) => {
    const free = freeAt.findIndex((at) => at <= startMs);
    const lane = free === -1 ? Math.min(freeAt.length, LANES_MAX - 1) : free;
    freeAt[lane] = Math.max(endMs, freeAt[lane] ?? 0);
    return lane;
  });
}

function describe(runs: readonly PictureRun[], [from, to]: readonly [number, number]): string {
  const overlaps = runs.filter(({ isOverlap }) => isOverlap).length;
  return `${runs.length} runs between ${minuteText(from)} and ${minuteText(to)} UTC, ${overlaps} of which began before an earlier one had ended`;
}
