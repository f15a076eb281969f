/** One record's trouble on the line of its pool, and what must not come of it for the others. Clock: fake; see `Gate`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LeaseholdError } from '../../../src/errors.ts';
import { type Call, Gate } from './gate.ts';

const unreachable = (): LeaseholdError => new LeaseholdError('STORE_UNREACHABLE', 'Store test: no answer in time.');
const idsOf = ({ verdicts, begins }: Call): string[] => [...verdicts.map((of) => of.replace(' done', '')), ...begins];

/** A store in which each call with one of these waits for a lock until its time-out; others are answered at once. */
async function run(gate: Gate, locked: readonly string[], forMs: number): Promise<void> {
  const hanging: { readonly call: Call; readonly endsAt: number }[] = [];
  let seen = 0;
  for (let passed = 0; passed < forMs; passed += 50) {
    for (; seen < gate.calls.length; seen += 1) {
      const call = gate.calls[seen] ?? gate.last;
      const isHeld = idsOf(call).some((id) => locked.includes(id));
      if (isHeld) hanging.push({ call, endsAt: passed + (call.timeoutMs ?? 0) });
      else await call.commit();
    }
    for (const { call, endsAt } of hanging) if (endsAt === passed) await call.fail(unreachable());
    await gate.clock.advance(50);
  }
}

describe('what waits behind a begin that is refused here', () => {
  it('is sent, and answered: a verdict is never left on the line', async () => {
    const gate = new Gate();
    let stop: string | null = null;
    void gate.begin('a', { refusal: () => stop });
    await gate.turn();
    const stored = gate.done('a');
    await gate.last.fail(unreachable());
    stop = 'Its lease is over.';
    await gate.clock.advance(2_000);
    assert.deepEqual(gate.last.verdicts, ['a done']);
    await gate.last.commit();
    assert.equal((await stored).outcome, 'accepted');
    assert.equal(await gate.lines.settle(0), true);
  });

  it('and what can not be sent before the store is closed is given up aloud', async () => {
    const gate = new Gate();
    const stored = gate.done('a');
    await gate.turn();
    await gate.last.fail(unreachable());
    gate.lines.close();
    await assert.rejects(stored, { code: 'STORE_UNREACHABLE', isClosed: true });
    assert.equal(gate.log.filter((line) => line.startsWith('error: Could not store the verdict')).length, 1);
    assert.equal(await gate.lines.settle(0), true);
  });
});

describe('a record that somebody keeps locked', () => {
  it('holds up those that travelled with it for one time-out, and what is given later not at all', async () => {
    const gate = new Gate();
    const at = new Map<string, number>();
    const from = gate.clock.read().monotonicMs;
    const note = (id: string, answer: Promise<unknown>): void => {
      const take = (): void => void at.set(id, gate.clock.read().monotonicMs - from);
      answer.then(take, take);
    };
    note('a', gate.done('a', { retryForMs: 30_000 }));
    note('b', gate.done('b', { retryForMs: 10_000 }));
    note('c', gate.begin('c', { retryForMs: 10_000 }));
    await run(gate, ['a'], 6_000);
    assert.ok((at.get('b') ?? Infinity) < 5_500 && (at.get('c') ?? Infinity) < 5_500, JSON.stringify([...at]));
    note('d', gate.done('d'));
    await gate.turn();
    assert.deepEqual(gate.last.verdicts, ['d done']);
    assert.equal(at.has('a'), false);
  });

  it('is given up alone: of a thousand the others are stored, however short their bound', async () => {
    const gate = new Gate();
    const outcomes = Promise.allSettled(
      Array.from({ length: 1_000 }, (_, n) => gate.done(`r${n}`, { retryForMs: 8_000 })),
    );
    await run(gate, ['r77'], 30_000);
    const failed = (await outcomes).flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    assert.deepEqual(failed, [77]);
  });

  it('holds up nobody where it is one of several', async () => {
    const gate = new Gate();
    const locked = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const id of locked) gate.done(id, { retryForMs: 60_000 }).catch(() => {});
    await run(gate, locked, 12_000);
    const from = gate.clock.read().monotonicMs;
    let answeredAt = Infinity;
    void gate.done('z').then(() => {
      answeredAt = gate.clock.read().monotonicMs - from;
    });
    await run(gate, locked, 4_000);
    assert.ok(answeredAt <= 2_100, `after ${answeredAt} ms`);
  });
});

describe('a store that is away', () => {
  it('costs suspects no more than their bound, whether or not their turn has come', async () => {
    const gate = new Gate();
    const ids = Array.from({ length: 100 }, (_, n) => `r${n}`);
    const ended = Promise.allSettled(ids.map((id) => gate.done(id, { retryForMs: 10_000 })));
    await run(gate, ids, 18_000);
    assert.ok((await ended).every(({ status }) => status === 'rejected'));
    assert.equal(await gate.lines.settle(0), true);
  });
});
