import type { HtmlReportParts } from '../../../src/audit/report/html/page.ts';
import type { Finding } from '../../../src/audit/model/finding.ts';
import type { PictureRun } from '../../../src/audit/model/picture.ts';
import type { AuditedHistory, AuditedWorkflow } from '../../../src/audit/model/report.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-01T00:00:00Z');

/** Hourly runs of 20 minutes; one morning they take 70. */
export const SLOW_MORNING: readonly PictureRun[] = Array.from({ length: 240 }, (_, index) => {
  const isSlow = index > 200 && index < 206;
  const startMs = START + index * HOUR;
  const tookMs = (isSlow ? 70 : 18 + ((index * 7) % 6)) * 60_000;
  return { runId: String(4_000 + index), startMs, endMs: startMs + tookMs, isOverlap: index > 201 && index < 207 };
});

const HISTORY: AuditedHistory = {
  runs: 244,
  used: 240,
  excluded: [
    { runId: '3999', reason: 'manual' },
    { runId: '4240', reason: 'open' },
    { runId: '4100', reason: 'retry' },
    { runId: '4101', reason: 'clock' },
  ],
  overlaps: 5,
  overlapsLast100: 5,
  maxConcurrent: 2,
  p50Ms: 1_200_000,
  p95Ms: 1_380_000,
  slowestMs: 4_200_000,
};

const FINDINGS: readonly Finding[] = [
  {
    rule: 'overlap.observed',
    severity: 'critical',
    message: '5 of 240 runs began before the one before had ended, 5 of them among the last 100; up to 2 ran at once.',
    evidence: [
      { runId: '4202', startedAt: '2026-11-09T10:00:00.000Z', earlierRunId: '4201', overlapMs: 600_000 },
      { runId: '4203', startedAt: '2026-11-09T11:00:00.000Z', earlierRunId: '4202', overlapMs: 600_000 },
    ],
    advice: 'Put a Leasehold lock with a lease of 140m before "Read new orders".',
  },
  {
    rule: 'window.effect-before-mark',
    severity: 'warning',
    message: '"Send invoice" comes before "Mark as sent": a run that dies between them sends again.',
    evidence: [{ node: 'Send invoice' }, { node: 'Mark as sent' }],
    advice: 'Claim each record before "Send invoice", and give its verdict after it.',
  },
];

export const TROUBLED: AuditedWorkflow = {
  id: 'wX1',
  name: 'Invoices, hourly',
  source: 'exports/invoices.json',
  state: 'on',
  history: HISTORY,
  schedule: {
    kind: 'cron',
    expressions: ['0 * * * *'],
    timezone: 'Europe/Berlin',
    minGapMs: HOUR,
    maxGapMs: HOUR,
    assumes: ['n8n 2.x plans it by the clock.'],
  },
  paths: [{ read: 'Read new orders', firstWrite: 'Mark as sent', steps: 3, effectBeforeMark: true }],
  findings: FINDINGS,
  advice: { leaseMs: 8_400_000, claimMs: 120_000, batchSize: 50 },
};

export const HEALTHY: AuditedWorkflow = {
  ...TROUBLED,
  id: 'wX2',
  name: 'Nightly clean-up',
  history: { ...HISTORY, runs: 30, used: 30, excluded: [], overlaps: 0, overlapsLast100: 0, maxConcurrent: 1 },
  findings: [
    {
      rule: 'history.incomplete',
      severity: 'info',
      message: 'Only 30 runs are known.',
      evidence: [],
      advice: 'Keep a longer history.',
    },
  ],
  paths: [],
};

export const SAMPLE: HtmlReportParts = {
  report: {
    workflows: [TROUBLED, HEALTHY],
    unread: [{ path: 'exports/broken.json', reason: 'ends in the middle of an object at byte 812' }],
  },
  pictures: [
    {
      runs: SLOW_MORNING,
      gapMs: 3_600_000,
      replay: { leaseMs: 8_400_000, starts: 240, runs: 235, skips: 5, overlaps: 0 },
    },
    null,
  ],
  at: new Date('2026-11-30T12:00:00Z'),
};
