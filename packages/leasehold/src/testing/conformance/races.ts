import assert from 'node:assert/strict';
import type { AcquireAnswer } from '../../domain/answers.ts';
import type { AcquireRequest, Store } from '../../ports/store.ts';
import { type Fact, fact } from './stage/fact.ts';
import type { Scene } from './stage/scene.ts';
import { HOUR } from './stage/timeline.ts';

/** Many at once, from several clients. A store with one connection answers in turn, and must answer the same. */
const CLIENTS = 5;
const CONTENDERS = 50;
const ROUNDS = 5;

export const raceFacts: readonly Fact[] = [
  fact(
    'of fifty starts at once on a free lock exactly one is acquired, and each other is skipped (C23)',
    async (scene) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const answers = await race(scene, `job-${round}`, {});
        assertOneWinner(answers, 'acquired');
        await assertCounted(scene, `job-${round}`, answers);
      }
    },
  ),

  fact('of fifty contenders for one stale lease exactly one reclaims it', async (scene) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const lock = `job-${round}`;
      const old = await scene.acquired(lock, { leaseMs: HOUR, holder: 'dead' });
      await scene.advance(HOUR);
      const answers = await race(scene, lock, {});
      const winner = assertOneWinner(answers, 'reclaimed');
      assert.ok(winner.outcome === 'reclaimed' && winner.previous.runId === old.runId && winner.fence === 2);
      assert.equal((await scene.store.events({ lock, kind: 'lease.reclaimed', limit: 10 })).length, 1);
      await assertCounted(scene, lock, answers);
    }
  }),

  fact('of fifty contenders for a lock freed by force exactly one reclaims it', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await scene.freeNow('job');
    assertOneWinner(await race(scene, 'job', {}), 'reclaimed');
  }),

  fact('the same start asked fifty times at once is one start: one token, one row', async (scene) => {
    const answers = await race(scene, 'job', { runId: 'run-x', holder: 'exec-1' });
    const tokens = answers.map((answer) => (answer.outcome === 'acquired' ? answer.token : answer.message));
    assert.equal(new Set(tokens).size, 1, tokens.join('\n'));
    assert.equal((await scene.runs()).length, 1);
    assert.equal((await scene.status('job')).skipsInRow, 0);
    assert.equal(await scene.countEvents(), 0);
  }),

  fact('the same start skipped fifty times at once is counted and told once', async (scene) => {
    await scene.acquired('job', { leaseMs: HOUR });
    await race(scene, 'job', { runId: 'run-x', holder: 'exec-1' });
    assert.equal((await scene.status('job')).skipsInRow, 1);
    assert.equal(await scene.countEvents('run.skipped'), 1);
    assert.equal((await scene.runs()).length, 2);
  }),

  fact('a pause among fifty first starts of a lock is in force once it is answered', async (scene) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const lock = `job-${round}`;
      const pausing = scene.pause(lock);
      await race(scene, lock, {});
      assert.equal((await pausing).outcome, 'paused');
      assert.equal((await scene.status(lock)).paused, true);
      await scene.skipped(lock, 'paused');
    }
  }),

  fact('a live holder that renews among fifty starts loses nothing', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR / 2);
    const renewal = scene.renew(lease);
    const answers = await race(scene, 'job', {});
    assert.equal((await renewal).outcome, 'renewed');
    assert.deepEqual(
      answers.filter((answer) => answer.proceed),
      [],
    );
    assert.equal(await scene.isHolder(lease), true);
  }),

  fact('a late holder that renews among fifty reclaims is lost, and one of them has the lock', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    const renewal = scene.renew(lease);
    assertOneWinner(await race(scene, 'job', {}), 'reclaimed');
    assert.equal((await renewal).outcome, 'lost');
    assert.equal(await scene.isHolder(lease), false);
  }),

  fact('a release among fifty starts frees the lock for at most one of them', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    const release = scene.release(lease, { status: 'success' });
    const answers = await race(scene, 'job', {});
    assert.equal((await release).outcome, 'released');
    const winners = answers.filter((answer) => answer.proceed);
    assert.ok(winners.length <= 1, `${winners.length} winners`);
    for (const winner of winners) assert.ok(winner.outcome === 'acquired' && winner.fence === 2);
  }),

  fact('a late release among fifty reclaims frees nobody else’s lease', async (scene) => {
    const lease = await scene.acquired('job', { leaseMs: HOUR });
    await scene.advance(HOUR);
    const release = scene.release(lease, { status: 'success' });
    const winners = (await race(scene, 'job', {})).filter((answer) => answer.proceed);
    const { outcome } = await release;
    assert.equal(winners.length, 1);
    // Heard first, it freed its own lease; heard later, it was refused.
    assert.equal(winners[0]?.outcome, outcome === 'expired' ? 'acquired' : 'reclaimed', outcome);
    assert.equal((await scene.status('job')).state, 'held');
    assert.equal((await scene.runOf(lease)).status, 'success');
  }),

  fact('an unprotected counter behind the lock loses no increment, and fences only grow', async (scene) => {
    const clients = await open(scene);
    const fences: number[] = [];
    let counter = 0;
    let inside = 0;
    const work = async (store: Store): Promise<void> => {
      for (let done = 0, asked = 0; done < 10; asked += 1) {
        assert.ok(asked < 10_000, 'everybody gets a turn');
        const answer = await store.acquire(scene.request('job', { leaseMs: HOUR }));
        if (answer.outcome !== 'acquired') continue;
        inside += 1;
        assert.equal(inside, 1, 'nobody else is inside');
        const read = counter;
        await store.isHolder('job', answer.token);
        counter = read + 1;
        fences.push(answer.fence);
        inside -= 1;
        await store.release({ lock: 'job', token: answer.token, status: 'success', afterMs: 0, lost: null });
        done += 1;
      }
    };
    await Promise.all(clients.map(work));
    assert.equal(counter, CLIENTS * 10);
    assert.deepEqual(
      fences,
      Array.from({ length: CLIENTS * 10 }, (_, index) => index + 1),
    );
  }),

  fact('starts on different locks at once don’t get in one another’s way', async (scene) => {
    const clients = await open(scene);
    const answers = await Promise.all(
      Array.from({ length: CONTENDERS }, (_, index) =>
        clientAt(clients, index).acquire(scene.request(`job-${index}`, { leaseMs: HOUR })),
      ),
    );
    for (const answer of answers) assert.ok(answer.outcome === 'acquired' && answer.fence === 1, answer.message);
  }),
];

async function open(scene: Scene): Promise<Store[]> {
  const clients = [scene.store];
  while (clients.length < CLIENTS) clients.push(await scene.another());
  return clients;
}

function clientAt(clients: readonly Store[], index: number): Store {
  const client = clients[index % clients.length];
  assert.ok(client !== undefined);
  return client;
}

async function race(scene: Scene, lock: string, patch: Partial<AcquireRequest>): Promise<AcquireAnswer[]> {
  const clients = await open(scene);
  const requests = Array.from({ length: CONTENDERS }, () => scene.request(lock, { leaseMs: HOUR, ...patch }));
  return await Promise.all(requests.map((request, index) => clientAt(clients, index).acquire(request)));
}

function assertOneWinner(answers: readonly AcquireAnswer[], outcome: 'acquired' | 'reclaimed'): AcquireAnswer {
  const winners = answers.filter((answer) => answer.proceed);
  assert.deepEqual(
    winners.map((answer) => answer.outcome),
    [outcome],
  );
  for (const loser of answers.filter((answer) => !answer.proceed)) {
    assert.ok(loser.outcome === 'skipped' && (loser.reason === 'held' || loser.reason === 'contended'), loser.message);
  }
  const [winner] = winners;
  assert.ok(winner !== undefined);
  return winner;
}

/** Each loser that met the holder was counted once: their numbers are 1, 2, 3 and so on. */
async function assertCounted(scene: Scene, lock: string, answers: readonly AcquireAnswer[]): Promise<void> {
  const numbers = answers.flatMap((answer) =>
    answer.outcome === 'skipped' && answer.reason === 'held' ? [answer.skipsInRow] : [],
  );
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    numbers.map((_, index) => index + 1),
  );
  assert.equal((await scene.status(lock)).skipsInRow, numbers.length);
  const raced = new Set(answers.map((answer) => answer.runId));
  assert.equal((await scene.runs(lock)).filter((run) => raced.has(run.runId)).length, answers.length, 'one row each');
}
