/** What a person who decides about a record sees of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordTable } from '../../../src/cli/records/records.ts';
import type { RecordRow } from '../../../src/domain/records/record.ts';

const AT = new Date('2026-11-30T08:00:00Z');

const ROW: RecordRow = {
  pool: 'orders',
  id: 'a',
  version: '',
  state: 'review',
  effectKey: '00000000-0000-8000-8000-000000000000',
  attempt: 2,
  claimedBy: 'web1:7',
  claimedAt: AT,
  leaseUntil: null,
  begunAt: AT,
  providerRef: null,
  error: 'e',
  notBefore: null,
  updatedAt: AT,
  evidenceRef: null,
  evidenceAt: null,
};

/** The last cell of each line. */
function lastCells(rows: readonly RecordRow[]): (string | undefined)[] {
  return recordTable(rows)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trim().split(/ {2,}/u).at(-1));
}

test('what a former owner says is done is listed with its reference, and since when', () => {
  const rows = [
    { ...ROW, evidenceRef: 'ref-1', evidenceAt: AT },
    { ...ROW, evidenceAt: AT },
    { ...ROW, evidenceRef: 'ref-2' },
    ROW,
  ];
  assert.deepEqual(lastCells(rows), [
    'EVIDENCE',
    'ref-1, said to be done at 2026-11-30 08:00:00Z',
    'said to be done at 2026-11-30 08:00:00Z',
    'ref-2, decided against',
    '-',
  ]);
});

test('a list without such a record has no column for it', () => {
  assert.deepEqual(lastCells([ROW]), ['ERROR', 'e']);
});
