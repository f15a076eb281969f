/** Locks that are given back while there is still work to do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Drawing, type Drawn } from './build.ts';
import { acquire, LOCKED, OPEN, RELEASE, rulesOf, said, SLACK, sql, story } from './lock-parts.ts';
import { GUARD, http, MAIL, PROCEED } from './parts.ts';

describe('a lock that is given back', () => {
  const EARLY = /^critical "Free" gives back the lock of "Lock" before/m;
  const freed = (flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing =>
    story({ Lock: acquire('a', '5 min'), Say: SLACK, ...nodes }, flow);

  it('before the work, or before the mark, is free while the run is still at work', () => {
    assert.deepEqual(rulesOf(freed('Lock > Free > Read > Mail > Mark')), OPEN);
    assert.match(said(freed('Lock > Free > Read > Mail > Mark')), /before "Mail", "Mark": the next start gets it/);
    assert.match(said(freed('Lock > Read > Free > Mail > Mark')), EARLY);
    assert.match(said(freed('Lock > Read > Mail > Free > Mark')), EARLY);
    assert.match(said(freed('Lock > Free > Mail')), EARLY);
    assert.match(said(freed('Lock > Read > Free > Mail')), EARLY);
  });

  it('by HTTP and by our own node counts alike', () => {
    const byHttp = {
      Lock: http('POST', 'https://l.test/v1/locks/a/acquire'),
      Got: PROCEED,
      Free: http('POST', 'https://l.test/v1/locks/a/release'),
    };
    assert.match(said(freed('Lock > Got > Free > Read > Mail > Mark', byHttp)), EARLY);
    const own = { Lock: GUARD, Free: { ...GUARD, parameters: { operation: 'release' } } };
    assert.match(said(freed('Lock > Free > Read > Mail > Mark', own)), EARLY);
    const verdict = { Lock: GUARD, Free: { ...GUARD, parameters: { operation: 'complete' } } };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', verdict)), EARLY);
  });

  it('on a branch that n8n runs first is free, on one that it runs last is not', () => {
    const first = freed('Lock > Free; Lock > Read > Mail > Mark', { Free: { ...RELEASE, position: [0, -100] } });
    assert.match(said(first), EARLY);
    const twice = { Free: { ...RELEASE, position: [0, -100] } };
    assert.match(said(freed('Lock > Free; Lock > Read > Mail > Mark > Free', twice)), EARLY);
    const last = freed('Lock > Free; Lock > Read > Mail > Mark', { Free: { ...RELEASE, position: [0, 100] } });
    assert.doesNotMatch(said(last), EARLY);
  });

  it('inside a loop is free from the second pass on', () => {
    const loop = { Loop: { type: 'splitInBatches', typeVersion: 3 } };
    const inside = freed('Lock > Read > Loop; Loop.1 > Mail > Mark > Free > Loop', loop);
    assert.match(said(inside), /^critical "Free" stands inside the loop "Loop"/m);
    assert.doesNotMatch(said(freed('Lock > Read > Loop > Free; Loop.1 > Mail > Mark > Loop', loop)), /^critical/m);
    const atLast = { ...loop, Last: { type: 'if', typeVersion: 2.2 } };
    const chosen = freed('Lock > Read > Loop; Loop.1 > Mail > Mark > Last > Free > Loop; Last.1 > Loop', atLast);
    assert.doesNotMatch(said(chosen), /^critical/m);
    const each = freed('Read > Loop; Loop.1 > Lock > Mail > Mark > Free > Loop', loop);
    assert.doesNotMatch(said(each), /^critical/m);
  });

  it('while a sub-workflow that nobody waits for does all the work is free too early', () => {
    const sub = (waits: boolean): Drawn => ({
      type: 'executeWorkflow',
      typeVersion: 1.2,
      parameters: { workflowId: { value: 'sub' }, options: { waitForSubWorkflow: waits } },
    });
    const unawaited = /^critical "Free" gives back the lock of "Lock" while "Sub", which the run does not wait for/m;
    assert.match(said(freed('Lock > Read > Sub > Free', { Sub: sub(false) })), unawaited);
    assert.doesNotMatch(said(freed('Lock > Read > Sub > Free', { Sub: sub(true) })), /^critical/m);
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Sub > Free', { Sub: sub(false) })), /^critical/m);
  });

  it('when the work is done may be followed by who tells of it', () => {
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free > Say')), EARLY);
    assert.doesNotMatch(said(freed('Lock > Read > Mark > Free > Mail')), EARLY);
    assert.doesNotMatch(said(freed('Lock > Mail > Free > Say')), EARLY);
    const failing = { Mail: { ...MAIL, onError: 'continueErrorOutput' } };
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free; Mail.1 > Free > Say', failing)), EARLY);
    const nothing = { Any: { type: 'if', typeVersion: 2.2 } };
    assert.doesNotMatch(said(freed('Lock > Read > Any > Mail > Mark > Free; Any.1 > Free', nothing)), EARLY);
  });

  it('is another one by its name, or stays shut for a while, or is not all that keeps others off', () => {
    const other = { Free: sql("select * from leasehold.release('b', $1, 'success')") };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', other)), EARLY);
    const later = { Free: sql("select * from leasehold.release('a', $1, 'success', after => '2 minutes')") };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', later)), EARLY);
    const claimed = { Claim: sql("select * from leasehold.claim_next('orders', 'me', 50)") };
    assert.doesNotMatch(said(freed('Lock > Claim > Free > Mail', claimed)), EARLY);
    assert.doesNotMatch(said(freed('Lock > Free > Claim > Mail', claimed)), EARLY);
    const twice = { Second: acquire('b', '5 min') };
    assert.doesNotMatch(said(freed('Second > Lock > Free > Read > Mail > Mark', twice)), EARLY);
    const both = { ...twice, Also: sql("select * from leasehold.release('b', $1, 'success')") };
    assert.match(said(freed('Second > Lock > Also > Free > Read > Mail > Mark', both)), EARLY);
    assert.deepEqual(
      rulesOf(freed('Second > Lock > Free > Read > Mail > Mark', twice)).filter((rule) => rule.startsWith('window')),
      LOCKED,
    );
  });

  it('after an error, as docs/guides/sql.md shows, is no lock that nothing asks', () => {
    const after = sql(
      "select freed.outcome from leasehold.runs('a', $1::text) run cross join lateral leasehold.acquire(run.lock, '125 minutes', run.holder, run_id => run.run_id) again cross join lateral leasehold.release(run.lock, again.token, 'failure') freed",
    );
    const failing = { Mail: { ...MAIL, onError: 'continueErrorOutput' }, After: after };
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free; Mail.1 > After > Say', failing)), /Nothing asks/);
  });
});
