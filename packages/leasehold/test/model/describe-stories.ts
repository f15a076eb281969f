import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { StoreHarness } from '../../src/testing/index.ts';
import { Replay } from './replay.ts';
import { readStories, type Story } from './story.ts';

/** How often a cycle is played at most: a tick each, so that it lasts longer than a day. */
const CYCLES_MAX = 40;

const SETTLED = ['done', 'failed', 'review'];

/** Where a store parts from each story that ends: who, what, and what the store answers instead. */
const PARTS: Readonly<Record<string, string>> = {
  'absence-from-the-last-sign': 'sweep apply wait',
  'answer-compared': 'sweep apply overtaken',
  'ask-before-done': 'sweep assume absent',
  'ask-before-redo': 'sweep assume found',
  'begin-after-unknown': 'A begin not_claimed',
  'begin-near-the-end': 'A begin lease_over',
  'begin-token': 'A begin not_owner',
  'commit-delay': 'sweep apply wait',
  'commit-delay-in-the-window': 'B begin send_before',
  'earlier-sender': 'sweep apply review',
  'extension-in-the-window': 'B send lease_over',
  'extension-after-expiry': 'A extend lost',
  'has-begun': 'A claim nothing',
  'late-done': 'A done evidence',
  'lease-in-the-window': 'B claim nothing',
  retention: 'sweep apply review',
  'retention-at-the-answer': 'sweep apply review',
  'return-begun': 'A return kept',
  'send-before-at-begin': 'B begin send_before',
  'send-before-kept': 'A claim nothing',
  'sender-has-stopped': 'sweep apply review',
  'verdict-token': 'A claim nothing',
  'visibility-delay': 'sweep apply wait',
};

/** Every story of the model, played on a store: the guard that it lacks is there, and nothing happens twice or never. */
export function describeStories(harness: StoreHarness): void {
  describe(`${harness.name}: stories of the model`, () => {
    after(async () => await harness.end?.());
    for (const story of readStories()) {
      it(`not so here: ${story.title} (${story.name})`, async () => await playOn(harness, story));
    }
  });
}

/** Throws where the story comes true, or the store parts from it elsewhere than it should. */
export async function playOn(harness: StoreHarness, story: Story): Promise<void> {
  const under = await harness.open();
  try {
    const replay = new Replay(under, harness.time, story);
    await replay.begin();
    await replay.play(story.steps);
    for (let cycles = 0; story.cycle !== null && cycles < CYCLES_MAX; cycles += 1) {
      if (SETTLED.includes(await replay.state())) break;
      await replay.play(story.steps.slice(story.cycle));
      await replay.tick();
    }
    const state = await replay.state();
    assert.ok(replay.provider.effects <= 1, `${replay.provider.effects} effects`);
    if (state === 'done') assert.equal(replay.provider.effects, 1, 'done, and it has its effect');
    if (story.cycle !== null) assert.ok(SETTLED.includes(state), `it goes round for ever: ${state}`);
    else assert.equal(replay.parts, PARTS[story.name]);
  } finally {
    await under.close();
  }
}
