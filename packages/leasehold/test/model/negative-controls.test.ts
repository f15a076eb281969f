/** A store that lacks a guard, as its callers see it: the story comes true, and is seen. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Store } from '../../src/ports/store.ts';
import type { StoreHarness } from '../../src/testing/index.ts';
import { sqliteFileHarness } from '../conformance/sqlite-harness.ts';
import { playOn } from './describe-stories.ts';
import { readStories } from './story.ts';

/** Each story with the calls of a store that grants what its guard refuses. */
const WITHOUT: Readonly<Record<string, (store: Store) => Partial<Store>>> = {
  'begin-token': (store) => ({
    async work(request) {
      const answer = await store.work(request);
      const begins = answer.begins.map((begin) => ({ ...begin, outcome: 'accepted' as const, reason: null }));
      return { ...answer, begins };
    },
  }),
  'late-done': (store) => ({
    async work(request) {
      const isDone = request.verdicts.some(({ verdict }) => verdict === 'done');
      return isDone ? { verdicts: [], begins: [] } : await store.work(request);
    },
  }),
};

function without(harness: StoreHarness, change: (store: Store) => Partial<Store>): StoreHarness {
  return {
    ...harness,
    async open() {
      const under = await harness.open();
      const changed = change(under.store) as Record<PropertyKey, unknown>;
      const store = new Proxy(under.store, {
        get: (target, key) => {
          const own = Reflect.get(target, key) as unknown;
          return changed[key] ?? (typeof own === 'function' ? (own.bind(target) as unknown) : own);
        },
      });
      return { ...under, store };
    },
  };
}

for (const story of readStories().filter(({ name }) => Object.hasOwn(WITHOUT, name))) {
  it(`control: without the guard of ${story.name} its story comes true`, async () => {
    const change = WITHOUT[story.name] ?? (() => ({}));
    await assert.rejects(playOn(without(sqliteFileHarness(), change), story), /2 effects|handed out again/);
  });
}
