/** Stories of the model: what it found when one guard was taken away. spec/story.ts says what each step means. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STORIES = join(import.meta.dirname, '../../../../spec/stories');

export interface Play {
  readonly redo: 'ask' | 'safe';
  readonly hasVerifier: boolean;
  readonly explicitBegin: boolean;
  readonly attempts: number;
  readonly leaseTicks: number;
  readonly callTicks: number;
  readonly commitTicks: number;
  readonly visibleTicks: number;
  readonly retentionTicks: number;
  readonly windowTicks: number;
}

export interface Step {
  readonly tick: number;
  readonly who: string;
  readonly do: string;
  readonly answer?: string;
  readonly about?: string;
}

export interface Story {
  readonly name: string;
  readonly title: string;
  readonly play: Play;
  readonly steps: readonly Step[];
  readonly cycle: number | null;
}

/** Those about records, by name. The lock's have no `play`. */
export function readStories(): Story[] {
  const files = globSync('*.json', { cwd: STORIES }).toSorted();
  const stories = files.map((file) => JSON.parse(readFileSync(join(STORIES, file), 'utf8')) as Story);
  return stories.filter(({ play }) => play !== null);
}
