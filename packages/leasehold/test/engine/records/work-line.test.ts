/**
 * The line on which begins and verdicts travel. Clock: a fake one, for bounds and pauses. The store is a gate: it takes what
 * it is sent, and answers when the test says so.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LeaseholdError } from '../../../src/errors.ts';
import { Gate, item, TERMS } from './gate.ts';

const unreachable = (): LeaseholdError => new LeaseholdError('STORE_UNREACHABLE', 'Store test: the line is down.');

describe('what is given at the same time', () => {
  it('is one call: the verdict of one record and the begin of the next share it', async () => {
    const gate = new Gate();
    const both = Promise.all([gate.done('a'), gate.begin('b'), gate.done('c')]);
    await gate.turn();
    assert.equal(gate.calls.length, 1);
    assert.deepEqual([gate.last.verdicts, gate.last.begins], [['a done', 'c done'], ['b']]);
    await gate.last.commit();
    assert.deepEqual(
      (await both).map(({ id, outcome }) => [id, outcome]),
      [
        ['a', 'accepted'],
        ['b', 'accepted'],
        ['c', 'accepted'],
      ],
    );
  });

  it('goes out before anything else happens where the line is free', async () => {
    const gate = new Gate();
    void gate.begin('a');
    for (let step = 0; step < 12; step += 1) await Promise.resolve();
    assert.equal(gate.calls.length, 1);
  });

  it('is answered after its commit and not before', async () => {
    const gate = new Gate();
    let isAnswered = false;
    void gate.done('a').finally(() => {
      isAnswered = true;
    });
    await gate.clock.advance(4_000);
    assert.equal(isAnswered, false);
    await gate.calls[0]?.commit();
    assert.equal(isAnswered, true);
  });

  it('joins the next call while one is under way', async () => {
    const gate = new Gate();
    void gate.begin('a');
    await gate.turn();
    void gate.begin('b');
    await gate.turn();
    void gate.begin('c');
    await gate.turn();
    assert.equal(gate.calls.length, 1);
    await gate.last.commit();
    assert.deepEqual(gate.last.begins, ['b', 'c']);
  });

  it('of fifty workers that each wait for both is one call a round', async () => {
    const gate = new Gate();
    const worker = async (name: string): Promise<void> => {
      await gate.begin(`${name}-0`);
      for (let n = 0; n < 4; n += 1) await Promise.all([gate.done(`${name}-${n}`), gate.begin(`${name}-${n + 1}`)]);
    };
    const all = Promise.all(Array.from({ length: 50 }, (_, n) => worker(`w${n}`)));
    await gate.turn();
    for (let round = 0; round < 5; round += 1) await gate.last.commit();
    await all;
    assert.deepEqual(
      gate.calls.map(({ verdicts, begins }) => [verdicts.length, begins.length]),
      [[0, 50], ...Array.from({ length: 4 }, () => [50, 50])],
    );
  });

  it('is a thousand a call at most', async () => {
    const gate = new Gate();
    for (let n = 0; n < 1_500; n += 1) void gate.done(`r${n}`);
    await gate.turn();
    assert.equal(gate.last.verdicts.length, 1_000);
    await gate.last.commit();
    assert.equal(gate.last.verdicts.length, 500);
  });

  it('travels one after the other where it is of one record', async () => {
    const gate = new Gate();
    void gate.begin('a');
    void gate.done('a');
    void gate.begin('b');
    await gate.turn();
    assert.deepEqual([gate.last.begins, gate.last.verdicts], [['a', 'b'], []]);
    await gate.last.commit();
    assert.deepEqual([gate.last.begins, gate.last.verdicts], [[], ['a done']]);
  });

  it('has the shortest time-out of those that travel together', async () => {
    const gate = new Gate();
    void gate.done('a', { timeoutMs: 5_000 });
    void gate.done('b', { timeoutMs: 400 });
    await gate.turn();
    assert.equal(gate.last.timeoutMs, 400);
  });
});

describe('a call that hangs', () => {
  it('is passed by another after half a second, and by four at most', async () => {
    const gate = new Gate();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      void gate.begin(id);
      await gate.clock.advance(600);
    }
    assert.deepEqual(
      gate.calls.map(({ begins }) => begins),
      [['a'], ['b'], ['c'], ['d']],
    );
    await gate.calls[0]?.commit();
    await gate.clock.advance(500);
    assert.deepEqual(gate.last.begins, ['e', 'f']);
  });

  it('keeps what is of the same record waiting', async () => {
    const gate = new Gate();
    void gate.begin('a');
    await gate.turn();
    void gate.done('a');
    await gate.clock.advance(2_000);
    assert.equal(gate.calls.length, 1);
    await gate.last.commit();
    assert.deepEqual(gate.last.verdicts, ['a done']);
  });
});

describe('while the store can not be reached', () => {
  it('verdicts are tried again, in their order and with what was given since, until they are stored', async () => {
    const gate = new Gate();
    const stored = Promise.all([gate.done('a'), gate.done('b')]);
    await gate.turn();
    for (let failure = 0; failure < 5; failure += 1) {
      await gate.last.fail(unreachable());
      if (failure === 0) void gate.done('c');
      await gate.clock.advance(2_000);
    }
    assert.deepEqual(gate.last.verdicts, ['a done', 'b done', 'c done']);
    assert.equal(gate.calls.length, 6);
    await gate.last.commit();
    assert.equal((await stored)[0]?.outcome, 'accepted');
  });

  it('pauses grow from a tenth of a second to two', async () => {
    const gate = new Gate();
    void gate.done('a').catch(() => {});
    await gate.turn();
    const pauses: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      const from = gate.clock.read().monotonicMs;
      const count = gate.calls.length;
      await gate.last.fail(unreachable());
      while (gate.calls.length === count) await gate.clock.advance(5);
      pauses.push(gate.clock.read().monotonicMs - from);
    }
    assert.deepEqual(pauses, [75, 150, 300, 600, 1_200, 1_500, 1_500]);
  });

  it('a verdict is given up at its bound, and its caller and the log are told', async () => {
    const gate = new Gate();
    const stored = gate.done('a', { retryForMs: 3_000 });
    const ended = assert.rejects(stored, {
      code: 'STORE_UNREACHABLE',
      message:
        'Could not store the verdict of record "a" of pool "mails"; give it again, or the record is settled as one whose outcome nobody knows. Store test: the line is down.',
    });
    await gate.turn();
    for (let second = 0; second < 20 && gate.calls.length > 0; second += 1) {
      await gate.last.fail(unreachable());
      await gate.clock.advance(1_000);
    }
    await ended;
    assert.equal(gate.log.filter((line) => line.startsWith('error: Could not store the verdict')).length, 1);
    assert.equal(await gate.lines.settle(0), true);
  });

  it('an outage is told once, and its end once', async () => {
    const gate = new Gate();
    void gate.done('a');
    await gate.turn();
    for (let failure = 0; failure < 3; failure += 1) {
      await gate.last.fail(unreachable());
      await gate.clock.advance(2_000);
    }
    await gate.last.commit();
    assert.deepEqual(
      gate.log.filter((line) => !line.startsWith('debug')),
      [
        'warn: Begins and verdicts of pool "mails" could not be stored; they are tried again.',
        'info: Begins and verdicts of pool "mails" are stored again.',
      ],
    );
  });

  it('a begin that must stop is not sent again, and refused', async () => {
    const gate = new Gate();
    let stop: string | null = null;
    const begun = gate.begin('a', { refusal: () => stop });
    await gate.turn();
    await gate.last.fail(unreachable());
    stop = 'Its lease is over.';
    await gate.clock.advance(2_000);
    assert.equal(gate.calls.length, 1);
    const { outcome, reason, message } = await begun;
    assert.deepEqual([outcome, reason, message], ['refused', 'lease_over', 'Its lease is over.']);
  });

  it('a begin that is given up says that nothing may be sent', async () => {
    const gate = new Gate();
    const begun = gate.begin('a', { retryForMs: 0 });
    await gate.turn();
    await gate.clock.advance(5_000);
    void gate.last.fail(unreachable());
    await assert.rejects(begun, {
      code: 'STORE_UNREACHABLE',
      message: 'Could not begin record "a" of pool "mails"; send nothing for it. Store test: the line is down.',
    });
  });

  it('nothing is tried again once this process has closed the store itself', async () => {
    const gate = new Gate();
    const stored = gate.done('a');
    await gate.turn();
    void gate.last.fail(new LeaseholdError('STORE_UNREACHABLE', 'Store test was closed.', { isClosed: true }));
    await assert.rejects(stored, { code: 'STORE_UNREACHABLE', isClosed: true });
    assert.equal(gate.calls.length, 1);
  });
});

describe('a begin whose answer comes late', () => {
  it('is refused where it took longer than the lease had left', async () => {
    const gate = new Gate();
    const begun = gate.begin('a');
    await gate.turn();
    await gate.clock.advance(3_000);
    await gate.last.commit(3_000);
    const { outcome, reason, message } = await begun;
    assert.deepEqual(
      [outcome, reason, message],
      [
        'refused',
        'lease_over',
        `Refused to begin record "a" of pool "mails": the store's answer came when the time to send in was over; send nothing.`,
      ],
    );
  });

  it('is accepted where some is left', async () => {
    const gate = new Gate();
    const begun = gate.begin('a');
    await gate.turn();
    await gate.clock.advance(3_000);
    await gate.last.commit(3_001);
    assert.equal((await begun).outcome, 'accepted');
  });
});

describe('one that the store can not take', () => {
  it('fails alone', async () => {
    const gate = new Gate();
    const outcomes = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((id) => gate.done(id)));
    await gate.turn();
    for (let call = 0; call < 9 && gate.calls.length > call; call += 1) {
      const { verdicts } = gate.calls[call] ?? gate.last;
      if (verdicts.includes('d done')) await gate.calls[call]?.fail(new LeaseholdError('INVALID_ARGUMENT', 'no'));
      else await gate.calls[call]?.commit();
    }
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('and leaves one without an answer is a fault that its caller hears of', async () => {
    const gate = new Gate();
    gate.isForgetful = true;
    const begun = gate.begin('a');
    await gate.turn();
    void gate.last.commit();
    await assert.rejects(begun, { message: 'the store left a begin or a verdict without an answer' });
  });

  it('is not looked for where the error is of the store and not of any of them', async () => {
    const gate = new Gate();
    const outcomes = Promise.allSettled([gate.done('a'), gate.begin('b')]);
    await gate.turn();
    void gate.last.fail(new LeaseholdError('SCHEMA_NEWER', 'newer'));
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(gate.calls.length, 1);
  });
});

describe('the lines of a store', () => {
  it('are one a pool, and settled once nothing is on them', async () => {
    const gate = new Gate();
    void gate.begin('a');
    void gate.lines.begin('invoices', item('a'), TERMS);
    await gate.turn();
    assert.equal(gate.calls.length, 2);
    const settling = gate.lines.settle(60_000);
    await gate.calls[0]?.commit();
    await gate.calls[1]?.commit();
    assert.equal(await settling, true);
  });

  it('are waited for no longer than said', async () => {
    const gate = new Gate();
    void gate.begin('a');
    await gate.turn();
    const settling = gate.lines.settle(1_000);
    await gate.clock.advance(1_000);
    assert.equal(await settling, false);
  });
});
