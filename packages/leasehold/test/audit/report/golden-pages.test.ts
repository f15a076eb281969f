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
import { HEALTHY, SAMPLE, SLOW_MORNING, TROUBLED } from './sample-report.ts';

const { at } = SAMPLE;
const [, , , , , , ...LATE] = SLOW_MORNING.slice(-46);
const PAGES: Readonly<Record<string, HtmlReportParts>> = {
  'one-to-mend': SAMPLE,
  'nothing-found': { report: { workflows: [], unread: [] }, pictures: [], at },
  'nothing-to-mend': {
    report: { workflows: [HEALTHY, { ...HEALTHY, name: 'Weekly', findings: [] }], unread: [] },
    pictures: [],
    at,
  },
  // Daily runs of 20 minutes, without a definition: no line can be drawn, and nothing is taken for granted.
  'far-below-the-interval': {
    report: {
      workflows: [
        {
          ...TROUBLED,
          id: 'Invoices, hourly',
          paths: [],
          schedule: {
            kind: 'cron',
            expressions: ['0 0 * * *', '0 12 * * *'],
            timezone: null,
            minGapMs: 43_200_000,
            maxGapMs: 86_400_000,
            assumes: [],
          },
        },
      ],
      unread: [],
    },
    pictures: [{ runs: LATE, replay: null }],
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
