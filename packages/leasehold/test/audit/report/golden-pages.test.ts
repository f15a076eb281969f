/**
 * The page of the audit, whole, as it was looked at in a browser, light, dark, narrow and on paper. After a change that
 * is meant: look at the new page, then `LEASEHOLD_WRITE_DUMPS=1 node --test` this file.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type HtmlReportParts, htmlReport } from '../../../src/audit/report/html/page.ts';
import { STYLE } from '../../../src/audit/report/html/style.ts';
import { HEALTHY, SAMPLE, TROUBLED } from './sample-report.ts';

const { at } = SAMPLE;
/** Two a day, of about 20 minutes. */
const SHORT = [20, 24, 18, 21].map((minutes, nth) => {
  const startMs = at.getTime() - (4 - nth) * 43_200_000;
  return { runId: String(70 + nth), startMs, endMs: startMs + minutes * 60_000, isOverlap: false };
});
const NO_OVERLAP = { overlaps: 0, overlapsLast100: 0, maxConcurrent: 1, p50Ms: 1_200_000, p95Ms: 1_440_000 };
const PAGES: Readonly<Record<string, HtmlReportParts>> = {
  'one-to-mend': SAMPLE,
  'nothing-found': { report: { workflows: [], unread: [] }, pictures: [], at },
  'nothing-to-mend': {
    report: { workflows: [HEALTHY, { ...HEALTHY, name: 'Weekly', findings: [] }], unread: [] },
    pictures: [],
    at,
  },
  // What the first page does not show: no line for the interval, no zone, nothing taken for granted, no path, no replay.
  'far-below-the-interval': {
    report: {
      workflows: [
        {
          ...TROUBLED,
          id: TROUBLED.name,
          history: { ...TROUBLED.history, ...NO_OVERLAP, runs: 4, used: 4, excluded: [], slowestMs: 1_440_000 },
          findings: TROUBLED.findings.slice(1).map((finding) => ({ ...finding, evidence: [] })),
          paths: [],
          schedule: {
            kind: 'cron',
            expressions: ['0 0 * * *', '0 12 * * 5-7'],
            timezone: null,
            minGapMs: 43_200_000,
            maxGapMs: 86_400_000,
            assumes: [],
          },
        },
      ],
      unread: [],
    },
    pictures: [{ runs: SHORT, gapMs: 43_200_000, replay: null }],
    at,
  },
};

describe('pages of the audit', () => {
  for (const [name, parts] of Object.entries(PAGES)) {
    it(`${name}.html is what it was when it was looked at`, async () => {
      const path = join(import.meta.dirname, 'golden', `${name}.html`);
      // The sheet is the same in all of them, and stands in style.ts.
      const page = (await htmlReport(parts)).replace(String(STYLE), '');
      if (process.env['LEASEHOLD_WRITE_DUMPS'] !== undefined) writeFileSync(path, page);
      assert.equal(page, readFileSync(path, 'utf8'));
    });
  }
});
