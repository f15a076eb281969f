import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { PictureRun } from '../../model/picture.ts';
import { place, ticksBetween } from './scale.ts';
import { durationText, minuteText } from './words.ts';

const WIDTH = 900;
const HEIGHT = 150;
const LEFT = 60;
/** Runs in the picture, one bar each. */
const RUNS_MAX = 200;

/**
 * How long each of the newest runs took, against the interval between two planned starts: a bar that reaches over the
 * line is a run that the next one met. Null without runs. `gapMs` null draws no line.
 */
export function durationsPicture(
  runs: readonly PictureRun[],
  gapMs: number | null,
): HtmlEscapedString | Promise<HtmlEscapedString> | null {
  const shown = runs.slice(-RUNS_MAX);
  if (shown.length === 0) return null;
  const longestMs = Math.max(...shown.map(tookMs));
  // An interval of a day above runs of a minute would flatten them all: then it is only said.
  const isLineShown = gapMs !== null && gapMs <= longestMs * 4;
  const span = [0, Math.max(longestMs, isLineShown ? gapMs * 1.1 : 0, 1)] as const;
  const width = (WIDTH - LEFT) / shown.length;
  const heightOf = (ms: number): number => place(ms, span, HEIGHT - 10);
  return html`<figure role="group" tabindex="0" aria-label="Durations"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
aria-label="${describe(shown, gapMs)}">${ticksBetween(0, span[1], 4).map((tick) => {
    const y = HEIGHT - heightOf(tick);
    return html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${
      y - 3 < 10 ? 10 : y - 3
    }" text-anchor="end">${tick === 0 ? '0' : durationText(tick)}</text>`;
  })}${shown.map((run, index) => {
    const height = Math.max(1, heightOf(tookMs(run)));
    const isOver = gapMs !== null && tookMs(run) > gapMs;
    return html`<rect class="${isOver ? 'overlap' : 'run'}" x="${(LEFT + index * width).toFixed(1)}" y="${HEIGHT - height}"
width="${Math.max(1, width - 1).toFixed(1)}" height="${height}"><title>run ${run.runId}, ${minuteText(run.startMs)}: ${durationText(
      tookMs(run),
    )}</title></rect>`;
  })}${
    isLineShown
      ? html`<line class="limit" x1="${LEFT}" x2="${WIDTH}" y1="${HEIGHT - heightOf(gapMs)}" y2="${HEIGHT - heightOf(gapMs)}"/><text
class="said" x="${WIDTH - 4}" y="${HEIGHT - heightOf(gapMs) - 4}" text-anchor="end">next start after ${durationText(gapMs)}</text>`
      : ''
  }</svg></figure>
<p class="small soft">${shown.length === runs.length ? 'All' : 'The newest'} ${shown.length} runs, oldest first${
    gapMs !== null && !isLineShown ? `; the next start comes after ${durationText(gapMs)}, far above all of them` : ''
  }.</p>`;
}

function tookMs({ startMs, endMs }: PictureRun): number {
  return endMs - startMs;
}

function describe(runs: readonly PictureRun[], gapMs: number | null): string {
  const longest = durationText(Math.max(...runs.map(tookMs)));
  const over =
    gapMs === null
      ? ''
      : `; ${runs.filter((run) => tookMs(run) > gapMs).length} took longer than the interval of ${durationText(gapMs)}`;
  return `Durations of ${runs.length} runs, the longest ${longest}${over}`;
}
