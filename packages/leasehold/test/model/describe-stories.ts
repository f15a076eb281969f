import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { StoreHarness } from '../../src/testing/index.ts';
import { Replay } from './replay.ts';
import { readStories, type Story } from './story.ts';

/** How often a cycle is played at most: a tick each, so that it lasts longer than a day. */
const CYCLES_MAX = 40;

const SETTLED = ['done', 'failed', 'review'];

/** Where a store parts from each story: who, what, and what the store answers instead. */
const PARTS: Readonly<Record<string, string>> = {};

/** Stories that no store can tell apart, and why. */
const NOT_PLAYED: Readonly<Record<string, string>> = {};

/** Every story of the model, played on a store: the guard that it lacks is there, and nothing happens twice or never. */
export function describeStories(harness: StoreHarness): void {
  describe(`${harness.name}: stories of the model`, () => {
    after(async () => await harness.end?.());
    for (const story of readStories()) {
      const skip = NOT_PLAYED[story.name] ?? false;
      it(`not so here: ${story.title} (${story.name})`, { skip }, async () => await playOn(harness, story));
    }
  });
}

async function playOn(harness: StoreHarness, story: Story): Promise<void> {
  const under = await harness.open();
  try {
    const replay = new Replay(under, story);
    await replay.begin();
    await replay.play(story.steps);
    for (let cycles = 0; story.cycle !== null && cycles < CYCLES_MAX; cycles += 1) {
      if (SETTLED.includes(await replay.state())) break;
      await replay.play(story.steps.slice(story.cycle));
      await replay.tick();
    }
    const state = await replay.state();
    if (process.env['LEASEHOLD_STORIES']) console.log(`  '${story.name}': '${replay.parts}', // ${replay.provider.effects} ${state}`);
    assert.ok(replay.provider.effects <= 1, `${replay.provider.effects} effects`);
    if (state === 'done') assert.equal(replay.provider.effects, 1, 'done, and it has its effect');
    if (story.cycle !== null) assert.ok(SETTLED.includes(state), `it goes round for ever: ${state}`);
    else assert.equal(replay.parts, PARTS[story.name]);
  } finally {
    await under.close();
  }
}
