/** How many calls what waits on a line is shared out to, where its store does two at a time. Clock: fake. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomBeside } from '../../../src/engine/records/work-room.ts';
import { Gate } from './gate.ts';

function sizes(gate: Gate): number[][] {
  return gate.calls.map(({ verdicts, begins }) => [verdicts.length, begins.length]);
}

describe('what waits on a line whose store does two calls at once', () => {
  it('goes in two halves where it is much, the verdict of a record with the begin of the next', async () => {
    const gate = new Gate(2);
    for (let n = 0; n < 50; n += 1) {
      void gate.done(`old-${n}`);
      void gate.begin(`new-${n}`);
    }
    await gate.turn();
    assert.deepEqual(sizes(gate), [
      [25, 25],
      [25, 25],
    ]);
    assert.deepEqual([gate.calls[1]?.verdicts[0], gate.calls[1]?.begins[0]], ['old-25 done', 'new-25']);
  });

  it('is one call where it is little', async () => {
    const gate = new Gate(2);
    for (let n = 0; n < 20; n += 1) void gate.begin(`r${n}`);
    await gate.turn();
    assert.deepEqual(sizes(gate), [[0, 20]]);
  });

  it('waits for the call under way where it is little, and goes beside it where it is much', async () => {
    const gate = new Gate(2);
    void gate.begin('first');
    await gate.turn();
    for (let n = 0; n < 20; n += 1) void gate.begin(`r${n}`);
    await gate.turn();
    assert.deepEqual(sizes(gate), [[0, 1]]);
    for (let n = 20; n < 40; n += 1) void gate.begin(`r${n}`);
    await gate.turn();
    assert.deepEqual(sizes(gate), [
      [0, 1],
      [0, 40],
    ]);
    for (let n = 40; n < 90; n += 1) void gate.begin(`r${n}`);
    await gate.turn();
    assert.equal(gate.calls.length, 2, 'a third waits');
  });

  it('never passes by what is under way of the same record', async () => {
    const gate = new Gate(2);
    for (let n = 0; n < 40; n += 1) void gate.begin(`r${n}`);
    await gate.turn();
    for (let n = 0; n < 40; n += 1) void gate.done(`r${n}`);
    await gate.turn();
    assert.deepEqual(sizes(gate), [[0, 40]]);
    await gate.calls[0]?.commit();
    assert.deepEqual(sizes(gate), [
      [0, 40],
      [40, 0],
    ]);
  });
});

describe('the room of the next call', () => {
  const cases = [
    ['all, with nothing under way', 0, 200, 1, Number.POSITIVE_INFINITY],
    ['none, beside the only one that a store does', 1, 200, 1, 0],
    ['a half of much', 0, 100, 2, 50],
    ['an even half, that leaves as much at least', 0, 62, 2, 30],
    ['all of little', 0, 59, 2, Number.POSITIVE_INFINITY],
    ['none of little, beside another', 1, 29, 2, 0],
    ['all of what is worth a call, beside another', 1, 30, 2, Number.POSITIVE_INFINITY],
    ['none, beside as many as a store does', 2, 200, 2, 0],
  ] as const;
  for (const [what, calls, waiting, atOnce, room] of cases) {
    it(`is ${what}`, () => assert.equal(roomBeside(calls, waiting, atOnce), room));
  }

  it('leaves enough for the other call, however many wait', () => {
    for (let waiting = 60; waiting <= 1_000; waiting += 1) {
      const left = waiting - roomBeside(0, waiting, 2);
      assert.equal(roomBeside(1, left, 2), Number.POSITIVE_INFINITY, `${waiting} wait`);
    }
  });
});
