import assert from 'node:assert/strict';
import { type Fact, fact } from './stage/fact.ts';
import { HOUR } from './stage/timeline.ts';

/** What a store says of itself. What it says of its engine is that engine's own. */
export const inspectFacts: readonly Fact[] = [
  fact('a store names the schema that it has and the one that this code knows', async (scene) => {
    const { schema } = await scene.store.inspect();
    assert.deepEqual(schema, { installed: schema.known, needs: schema.needs, known: schema.known });
    assert.ok(schema.known >= 1);
  }),

  fact('asking a store of itself changes nothing and tells no token', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    const before = [await scene.status('job'), await scene.runs(), await scene.events()];
    const facts = await scene.store.inspect();
    assert.ok(!JSON.stringify(facts).includes(lease.token));
    const [status, runs, events] = [await scene.status('job'), await scene.runs(), await scene.events()];
    assert.deepEqual([runs, events], before.slice(1));
    assert.equal(status.leaseUntil?.getTime(), lease.leaseUntil.getTime());
    assert.equal(await scene.isHolder(lease), true);
  }),
];
