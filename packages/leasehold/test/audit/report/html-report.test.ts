import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlReport } from '../../../src/audit/report/html/page.ts';
import { place, ticksBetween } from '../../../src/audit/report/html/scale.ts';
import { worstStretch } from '../../../src/audit/report/html/timeline.ts';
import { HEALTHY, SAMPLE, SLOW_MORNING, TROUBLED } from './sample-report.ts';

const EVIL = `<script>alert('x')</script>"><img src=x onerror=y>&`;

describe('the report as HTML', () => {
  it('is one file: no script, no address that is fetched, and a policy that forbids both', async () => {
    const page = await htmlReport(SAMPLE);
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|@import|url\(|\ssrc=|https?:\/\//i);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'/);
  });

  it('escapes every text that comes from the input', async () => {
    const finding = {
      rule: 'overlap.observed',
      severity: 'critical',
      message: EVIL,
      evidence: [{ [EVIL]: EVIL, list: [EVIL] }],
      advice: EVIL,
    } as const;
    const schedule = { kind: EVIL, expressions: [EVIL], timezone: EVIL, minGapMs: 1, maxGapMs: 2, assumes: [EVIL] };
    const paths = [{ read: EVIL, firstWrite: EVIL, steps: 1, effectBeforeMark: true }];
    const evil = { ...TROUBLED, id: EVIL, name: EVIL, source: EVIL, schedule, paths, findings: [finding] };
    const runs = SLOW_MORNING.map((run) => ({ ...run, runId: EVIL }));
    const page = await htmlReport({
      report: { workflows: [evil, { ...HEALTHY, name: EVIL, schedule }], unread: [{ path: EVIL, reason: EVIL }] },
      pictures: [{ runs, gapMs: 1, replay: null }, null],
      at: SAMPLE.at,
    });
    assert.doesNotMatch(page, /<script|<img/);
    assert.equal(page.split('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&gt;&lt;img').length > 15, true);
  });

  it('says what to change first, worst first, and what the advised lease would have made of the history', async () => {
    const page = await htmlReport(SAMPLE);
    assert.match(page, /<h1>1 of 2 workflows needs a change<\/h1>/);
    assert.ok(page.indexOf('Put a Leasehold lock') < page.indexOf('Claim each record'));
    assert.ok(page.indexOf('Changes to make') < page.indexOf('Workflows to look at'));
    assert.match(
      page.replaceAll('\n', ' '),
      /With a lease of 2h 20m and skip, these 240 starts would have been 235 runs, 5 skips and 0 overlaps\./,
    );
    assert.match(page, /ends in the middle of an object at byte 812/);
  });

  it('stays readable, and small, with 10,000 workflows', async () => {
    const workflows = Array.from({ length: 10_000 }, (_, index) => ({
      ...(index < 5_000 ? TROUBLED : HEALTHY),
      name: `w${index}`,
    }));
    const page = await htmlReport({ report: { workflows, unread: [] }, pictures: [], at: SAMPLE.at });
    assert.ok(page.length < 1_500_000, String(page.length));
    assert.match(page, /4,800 more workflows have findings; narrow the audit to see them\./);
    assert.match(page, /4,000 more workflows\./);
  });

  it('says so where nothing was found, and where nothing is to be mended', async () => {
    const nothing = await htmlReport({ report: { workflows: [], unread: [] }, pictures: [], at: SAMPLE.at });
    assert.match(nothing, /Nothing that could be audited was found/);
    const healthy = await htmlReport({ report: { workflows: [HEALTHY], unread: [] }, pictures: [null], at: SAMPLE.at });
    assert.match(healthy, /<h1>1 workflow: nothing to mend<\/h1>/);
  });
});

describe('pictures', () => {
  it('show the stretch with the most overlaps', () => {
    const shown = worstStretch(SLOW_MORNING);
    assert.equal(shown.length, 40);
    assert.equal(shown.filter(({ isOverlap }) => isOverlap).length, 5);
  });

  it('of no run, of one, and of many that start at once, are drawn without a number that is none', async () => {
    const [run] = SLOW_MORNING;
    assert.ok(run !== undefined);
    const same = Array.from({ length: 30 }, () => ({ ...run, isOverlap: true }));
    const still = same.map((each) => ({ ...each, endMs: each.startMs }));
    for (const runs of [[], [run], same, still]) {
      const page = await htmlReport({ ...SAMPLE, pictures: [{ runs, gapMs: null, replay: null }, null] });
      assert.doesNotMatch(page, /NaN|Infinity|undefined/);
    }
  });

  it('has the line of an interval that only its history shows', async () => {
    const picture = { runs: SLOW_MORNING, gapMs: 3_600_000, replay: null };
    const report = { workflows: [{ ...TROUBLED, schedule: null }], unread: [] };
    const page = await htmlReport({ report, pictures: [picture], at: SAMPLE.at });
    assert.match(page, /next start after 1h/);
  });

  it('have ticks at round values inside the scale, as few as asked for', () => {
    assert.deepEqual(ticksBetween(0, 3_600_000, 4), [0, 1_800_000, 3_600_000]);
    for (const to of [1, 900, 86_400_000, 40_000_000_000]) {
      const ticks = ticksBetween(5, to, 9);
      assert.ok(ticks.length <= 9 && ticks.every((tick) => tick >= 5 && tick <= to));
    }
    assert.equal(place(5, [0, 10], 900), 450);
    assert.equal(place(50, [0, 10], 900), 900);
    assert.equal(place(1, [1, 1], 900), 0);
  });
});
