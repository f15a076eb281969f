import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideAcquire, type StartRequest } from '../../src/domain/acquire.ts';
import { type ProbeEvidence, weighEvidence } from '../../src/domain/evidence.ts';
import { isExpired, type LockState } from '../../src/domain/lock-state.ts';
import { lockState, NOW } from './samples.ts';

const LENGTHS = [1_000, 2_000, 3_000];
const lock: fc.Arbitrary<LockState> = fc
  .record({
    row: lockState,
    leaseMs: fc.constantFrom(null, ...LENGTHS),
    probe: fc.constantFrom('process', 'process', 'n8n', undefined, 7),
    extendable: fc.constantFrom(undefined, undefined, true, false),
    /** Most rows that a start meets: held, nothing forced, nothing paused. */
    isPlain: fc.boolean(),
  })
  .map(({ row, leaseMs, probe, extendable, isPlain }) => ({
    ...row,
    ...(isPlain ? { token: 'token-a', drainUntil: null, pausedAt: null } : {}),
    leaseMs,
    holderInfo: { probe, extendable },
  }));

const probes = fc.constantFrom<string[]>([], ['process'], ['process', 'n8n']);
const state = fc.constantFrom('alive' as const, 'ended' as const, 'unknown' as const);
const word = fc.record({ state, fits: fc.boolean(), off: fc.constantFrom('fence' as const, 'end' as const) });

interface Draw {
  readonly lock: LockState;
  readonly request: StartRequest;
  readonly evidence: ProbeEvidence | null;
  /** It is about this very lease, of a holder that can be asked after. */
  readonly fits: boolean;
}

const draw: fc.Arbitrary<Draw> = fc
  .record({ lock, probes, said: fc.option(word, { freq: 4 }), onStale: fc.constantFrom('reclaim', 'hold') })
  .map(({ lock: row, probes: systems, said, onStale }) => {
    const evidence = said === null ? null : evidenceOf(row, said);
    const request = { holder: 'h', onStale, bypassReason: null, again: false, probes: systems, evidence } as const;
    return { lock: row, request, evidence, fits: said?.fits === true && typeof row.holderInfo?.['probe'] === 'string' };
  });

function evidenceOf(
  row: LockState,
  said: { state: ProbeEvidence['state']; fits: boolean; off: string },
): ProbeEvidence {
  const end = row.leaseUntil === null ? null : new Date(row.leaseUntil);
  const about = { fence: row.fence, leaseUntil: end };
  const other =
    said.off === 'fence'
      ? { ...about, fence: row.fence + 1 }
      : { ...about, leaseUntil: new Date((end ?? NOW).valueOf() + 1) };
  return { ...(said.fits ? about : other), state: said.state, detail: 'x' };
}

const property = (check: (drawn: Draw) => void, numRuns = 3_000): void => {
  fc.assert(fc.property(draw, check), { numRuns });
};
/** The decision of a caller that can ask nobody. */
const byClock = ({ lock: row, request }: Draw): unknown =>
  decideAcquire(row, null, null, { ...request, probes: [], evidence: null }, NOW);

test('a live lease is granted to another only by proof that its holder has ended', () => {
  property((drawn) => {
    const { lock: row, request, evidence, fits } = drawn;
    fc.pre(row.token !== null && !isExpired(row, NOW) && (row.drainUntil === null || row.drainUntil > NOW));
    if (decideAcquire(row, null, null, request, NOW).kind !== 'grant') return;
    assert.ok(fits && evidence?.state === 'ended');
  });
});

test('evidence that does not fit, or is not known, decides nothing', () => {
  property((drawn) => {
    const { lock: row, request, evidence, fits } = drawn;
    fc.pre(evidence !== null && (!fits || evidence.state === 'unknown'));
    const decision = decideAcquire(row, null, null, request, NOW);
    if (decision.kind === 'probe_first') return;
    const said = decision.kind === 'grant' && decision.previous !== null && fits ? decision.previous.probe : null;
    const expected = byClock(drawn) as { previous?: object };
    assert.deepEqual(
      decision,
      expected.previous ? { ...expected, previous: { ...expected.previous, probe: said } } : expected,
    );
  });
});

test('a caller is sent to ask only whom it can ask, and never when it brought evidence that fits', () => {
  property(({ lock: row, request, fits }) => {
    if (decideAcquire(row, null, null, request, NOW).kind !== 'probe_first') return;
    assert.ok(!fits && row.token !== null && request.probes?.includes(String(row.holderInfo?.['probe'])));
  });
});

/** One draw in two hundred is an extension: of so many never as few as ten. */
const EXTENSION_RUNS = 15_000;

test('an extension is of an expired lease, ends later than now, and no later than a lease from now or four from the last renewal', () => {
  let extended = 0;
  property(({ lock: row, request, evidence, fits }) => {
    const decision = decideAcquire(row, null, null, request, NOW);
    if (decision.kind !== 'extend') return;
    extended += 1;
    assert.ok(fits && evidence?.state === 'alive' && isExpired(row, NOW));
    assert.ok(row.drainUntil === null && row.pausedAt === null && row.holderInfo?.['extendable'] !== false);
    assert.ok(row.leaseMs !== null && row.leaseUntil !== null);
    const base = row.renewedAt ?? row.since;
    assert.ok(base !== null && base <= NOW);
    assert.equal(decision.leaseUntil, Math.min(NOW + row.leaseMs, base + 4 * row.leaseMs));
    assert.ok(decision.leaseUntil > NOW && decision.leaseUntil >= (row.leaseUntil ?? 0));
  }, EXTENSION_RUNS);
  assert.ok(extended > 10, `${extended} of ${EXTENSION_RUNS} were extended`);
});

test('what a probe said is told in its words', () => {
  const row = { fence: 3, leaseUntil: NOW, holderInfo: { probe: 'process' }, leaseMs: 1_000, since: NOW - 1_000 };
  const lockRow = { renewedAt: null, drainUntil: null, ...row } as unknown as LockState;
  const about = { fence: 3, leaseUntil: new Date(NOW), detail: 'it said so' };
  const weigh = (said: ProbeEvidence['state']): unknown =>
    weighEvidence(lockRow, { probes: [], evidence: { ...about, state: said } }, NOW);
  assert.deepEqual(weigh('ended'), { kind: 'ended', probe: 'ended: it said so' });
  assert.deepEqual(weigh('unknown'), { kind: 'by_clock', probe: 'unknown: it said so' });
  assert.deepEqual(weigh('alive'), { kind: 'extend', leaseUntil: NOW + 1_000, detail: 'it said so' });
});
