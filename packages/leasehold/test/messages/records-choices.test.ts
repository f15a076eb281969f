/** What the command line says of changes, decisions and returns, word for word. Pure. */
import { describe } from 'node:test';
import { changedText } from '../../src/cli/records/pool-text.ts';
import { returnText } from '../../src/cli/records/return.ts';
import { decideText } from '../../src/cli/records/review.ts';
import { POOL_DEFAULTS } from '../../src/domain/records/pool-settings.ts';
import { assertSaid } from './said.ts';

const UNCHANGED = {
  outcome: 'unchanged',
  pool: 'orders',
  settings: POOL_DEFAULTS,
  message: 'Pool "orders" is set so already.',
} as const;
const key = (id: string) => ({ id, version: '' });
const RETURNED = {
  outcome: 'returned',
  returned: [key('a')],
  kept: [key('b')],
  message: 'Gave 1 record back.',
} as const;
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `r${at}`);

describe('of a pool that is changed', () =>
  assertSaid([
    [() => changedText(UNCHANGED, { isNew: false, change: {} }), 'Pool "orders" is set so already.'],
    [
      () => changedText(UNCHANGED, { isNew: true, change: {} }),
      'Made pool "orders", set as every pool is until it is changed.',
    ],
    [
      () => changedText(UNCHANGED, { isNew: false, change: { redoWindowMs: 1_000 } }),
      'Pool "orders" is set so already; a redo window counts only with --redo safe.',
    ],
  ]));

describe('of records in review', () =>
  assertSaid([
    [
      () => decideText('orders', false),
      'Look at the provider, then decide: leasehold review orders ID done|requeue|fail --reason TEXT',
    ],
    [
      () => decideText('orders', true),
      'Look at the provider, then decide: leasehold review orders ID done|requeue|fail --reason TEXT, or have it asked: leasehold review orders ID ask --reason TEXT',
    ],
  ]));

describe('of ids that go back', () =>
  assertSaid([
    [() => returnText(RETURNED, ['a', 'b']), 'Gave 1 record back.'],
    [
      () => returnText(RETURNED, ['a', '98', '99']),
      'Gave 1 record back; not in this claim, or settled already: "98", "99".',
    ],
    [
      () => returnText(RETURNED, ids(22)),
      'Gave 1 record back; not in this claim, or settled already: "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r16", "r17", "r18", "r19" and 2 more.',
    ],
  ]));
