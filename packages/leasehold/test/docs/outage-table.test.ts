/** How long an outage may be, in docs/clocks.md: worked out for readers, held here against the functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../../src/domain/duration.ts';
import { heartbeatEveryMs, safetyMarginMs } from '../../src/domain/timing.ts';
import { readPage } from './pages.ts';

const HEADER = '| lease | an outage this long never stops a run | one this long always does |\n|---|---|---|\n';

test('the lengths of outages in docs/clocks.md are three heartbeats, and the lease without its margin', () => {
  const table = readPage('docs/clocks.md').split(HEADER)[1]?.split('\n\n')[0] ?? '';
  const rows = table.split('\n').map((line) => line.slice(2, -2).split(' | '));
  assert.equal(rows.length, 5);
  for (const [lease = '', bridged, lost] of rows) {
    const leaseMs = parseDuration(lease.replace(' ', ''));
    assert.equal(bridged, `${(3 * heartbeatEveryMs(leaseMs)) / 1_000} s`, lease);
    assert.equal(lost, `${(leaseMs - safetyMarginMs(leaseMs)) / 1_000} s`, lease);
  }
});
