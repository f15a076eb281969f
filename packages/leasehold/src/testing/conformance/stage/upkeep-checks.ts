import assert from 'node:assert/strict';
import type { PruneReport, PruneRequest, WatchReport } from '../../../ports/store.ts';
import { assertCount, assertKeys } from './value-checks.ts';

/** What holds for every answer of the duties that nobody waits for; each check gives back what it was given. */

export function checkWatchReport(report: WatchReport): WatchReport {
  assertKeys(report, ['raised', 'isComplete']);
  assertCount(report.raised, 'raised');
  assert.equal(typeof report.isComplete, 'boolean', 'isComplete');
  return report;
}

export function checkPruneReport({ limit }: PruneRequest, report: PruneReport): PruneReport {
  assertKeys(report, ['isDue', 'runs', 'events', 'isComplete']);
  for (const rows of [report.runs, report.events]) {
    assertCount(rows, 'rows that went');
    assert.ok(rows <= limit, `${rows} rows went, ${limit} were asked for`);
  }
  assert.equal(typeof report.isComplete, 'boolean', 'isComplete');
  assert.ok(report.isDue || (report.runs === 0 && report.events === 0 && report.isComplete), 'nothing while it rests');
  return report;
}
