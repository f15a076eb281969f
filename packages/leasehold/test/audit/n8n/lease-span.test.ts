/** Leases that are too short for the waits of a run, or too long for the starts that come. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Drawing, type Drawn } from './build.ts';
import { acquire, behind, LOCKED, OPEN, rulesOf, said, SLACK, sql, story, wait } from './lock-parts.ts';
import { GUARD, PROCEED } from './parts.ts';

describe('a lease', () => {
  const waits = (lease: string, flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing =>
    story({ Lock: acquire('a', lease), Wait: wait(10), Again: wait(10), ...nodes }, flow);

  it('that is over while the run waits for its work lets the next one in', () => {
    const short = waits('5 seconds', 'Lock > Wait > Read > Mail > Mark');
    assert.deepEqual(rulesOf(short), OPEN);
    assert.match(said(short), /is over after 5s, and "Wait" waits 10m before the work is done/);
    assert.deepEqual(rulesOf(waits('15 min', 'Lock > Wait > Read > Again > Mail > Mark')), OPEN);
    assert.deepEqual(rulesOf(waits('00:10:00', 'Lock > Read > Mail > Wait > Mark')), [
      'guard.fails-open critical',
      'window.effect-before-mark critical',
      'window.read-to-write warning',
    ]);
  });

  it('that spans the waits, or is renewed on the way, holds', () => {
    assert.deepEqual(rulesOf(waits('25 min', 'Lock > Wait > Read > Again > Mail > Mark')), LOCKED);
    const Touch = sql("select * from leasehold.renew('a', $1, lease => '1 hour')");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Touch > Wait > Read > Mail > Mark', { Touch })), LOCKED);
    const Plain = sql("select * from leasehold.renew('a', $1)");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Plain > Wait > Read > Mail > Mark', { Plain })), OPEN);
  });

  it('that is over when the work is done, or asked for once more in front of it, is long enough', () => {
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Read > Mail > Mark > Wait > Say', { Say: SLACK })), LOCKED);
    const Assert = sql("select fence from leasehold.assert_holder('a', $1)");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Wait > Assert > Read > Mail > Mark', { Assert })), LOCKED);
  });

  it('is no matter of who was turned away and waits', () => {
    const Lock = sql("select * from leasehold.acquire('a', '5 min', 'me')");
    const away = waits('5 min', 'Lock > Got > Mail; Got.1 > Wait > Say', { Lock, Got: PROCEED, Say: SLACK });
    assert.doesNotMatch(said(away), /^critical/m);
    const own = waits('5 min', 'Lock > Mail; Lock.1 > Wait > Say', { Lock: GUARD, Say: SLACK });
    assert.doesNotMatch(said(own), /^critical/m);
    const freed = waits('5 min', 'Lock > Got > Mail; Got.1 > Free > Say', { Lock, Got: PROCEED, Say: SLACK });
    assert.doesNotMatch(said(freed), /^critical/m);
  });

  it('that nothing ends makes most starts find it held', () => {
    const kept = behind(acquire('a', '7 days'));
    assert.deepEqual(rulesOf(kept), ['guard.fails-open warning', ...LOCKED]);
    assert.match(
      said(kept),
      /takes for 7d: the starts that come every 1h find it held until then, and the work is done once in 7d/,
    );
    const freed = story({ Lock: acquire('a', '7 days') }, 'Lock > Read > Mail > Mark > Free');
    assert.doesNotMatch(said(freed), /Nothing in this workflow/);
    for (const lock of [
      acquire('a', '59 min'),
      acquire("a-{{ $now.toFormat('yyyy-MM-dd') }}", '7 days'),
      acquire('a-{{ $json.id }}', '7 days'),
    ])
      assert.deepEqual(rulesOf(behind(lock)), LOCKED);
    const elsewhere = story(
      { Lock: acquire('a', '7 days'), Sub: { type: 'executeWorkflow' } },
      'Lock > Read > Mail > Mark > Sub',
    );
    assert.deepEqual(rulesOf(elsewhere), LOCKED);
  });
});
