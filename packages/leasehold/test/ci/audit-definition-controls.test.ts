/** Negative controls of what a definition tells without runs of its own: waits, being switched off, never having started. */
import { describeMutantsInPairs } from '../mutation.ts';

const WAITS = 'test/audit/n8n/fixed-waits.test.ts';
const OFF = 'test/cli/audit-off.test.ts';
const SILENT = 'test/audit/rules/never-started.test.ts';

describeMutantsInPairs('what a definition tells alone', [
  {
    broken: 'a wait says nothing of its runs',
    file: 'src/audit/rules/history/overlap-predicted.ts',
    replace: 'const byWaits = predictedByWaits(context);',
    by: 'const byWaits = predictedByWaits({ ...context, gapMs: null });',
    testFile: WAITS,
    fails: 'longer than the smallest gap, or as long, is an overlap that each run has',
  },
  {
    broken: 'only the longest of several waits counts',
    file: 'src/audit/rules/history/predicted-by-waits.ts',
    replace: 'sum + waitMs, 0)',
    by: 'Math.max(sum, waitMs), 0)',
    testFile: WAITS,
    fails: 'adds up with those before it',
  },
  {
    broken: 'each run takes every branch',
    file: 'src/audit/readers/n8n-workflow/fixed-waits.ts',
    replace: 'if (search.isCertain && chooses(flow, at)) continue;',
    by: '',
    testFile: WAITS,
    fails: 'behind a branch is an overlap of the runs that get there',
  },
  {
    broken: 'a lock before a wait skips nobody',
    file: 'src/audit/readers/n8n-workflow/fixed-waits.ts',
    replace: 'before === undefined || !open.has(at)',
    by: 'before === undefined || open.size < 0',
    testFile: WAITS,
    fails:
      'is none behind a lock that skips the next run, in a run that its timeout stops, or where the clock does not lead',
  },
  {
    broken: 'what is switched off is as severe as what is on',
    file: 'src/audit/switched-off.ts',
    replace: "if (finding.severity === 'info' || (state !== 'off' && state !== 'archived')) return finding;",
    by: "if (finding.severity === 'info' || (state !== 'off' && state !== 'archived') || state) return finding;",
    testFile: OFF,
    fails: 'has its state in the JSON, and notes that say what they would be',
  },
  {
    broken: 'notes of what is switched off fail the audit',
    file: 'src/cli/audit/audit.ts',
    replace: "state !== 'off' && state !== 'archived' && findings.some(",
    by: "state !== 'never' && findings.some(",
    testFile: OFF,
    fails: 'decides no exit code, from notes on',
  },
  {
    broken: 'whatever is not active is off',
    file: 'src/audit/readers/n8n-workflow/found.ts',
    replace: "return isLive && isActive === false && !isStartedElsewhere ? { off: 'off' } : {};",
    by: "return isLive && isActive === false && isStartedElsewhere !== null ? { off: 'off' } : {};",
    testFile: OFF,
    fails: 'is not one that others start, or that is started by hand alone',
  },
  {
    broken: 'an export that says it is off is believed',
    file: 'src/audit/readers/n8n-workflow/found.ts',
    replace: 'return isLive && isActive === false',
    by: 'return isActive === false',
    testFile: OFF,
    fails: 'is as severe as ever in an export, which may be switched on elsewhere',
  },
  {
    broken: 'what is marked inactive is off, though it runs',
    file: 'src/audit/switched-off.ts',
    replace: 'findings.some(isStillExecuting) ? null : definition.off',
    by: 'findings.every(isStillExecuting) ? null : definition.off',
    testFile: OFF,
    fails: 'that started all the same is not off: its findings stay, and it fails the audit',
  },
  {
    broken: 'no run of its own is nothing to tell of',
    file: 'src/audit/rules/history/never-started.ts',
    replace: 'if (silent.length === 0) return [];',
    by: 'if (silent.length >= 0) return [];',
    testFile: SILENT,
    fails:
      'an active schedule without one run is told where the history has runs of others over more than two gaps (C58)',
  },
  {
    broken: 'a history that is shorter than two gaps is enough',
    file: 'src/audit/rules/history/never-started.ts',
    replace: 'if (!(told.toMs - fromMs > GAPS_MIN * gapMs)) return null;',
    by: '',
    testFile: SILENT,
    fails: 'two gaps of the schedule have to lie in the time that is told of',
  },
  {
    broken: 'slots from before a change count',
    file: 'src/audit/rules/history/never-started.ts',
    replace: 'subject.definition?.changedAtMs ?? 0,',
    by: '0,',
    testFile: SILENT,
    fails: 'what it was before it was changed, or while it was off, nobody knows',
  },
  {
    broken: 'the oldest run of all begins the history',
    file: 'src/audit/rules/history/never-started.ts',
    replace: 'starts[Math.floor(OLDEST_SHARE * runs)]',
    by: 'starts[Math.floor(0 * OLDEST_SHARE * runs)]',
    testFile: SILENT,
    fails: 'a run that somebody keeps on purpose does not make the history longer than it is',
  },
  {
    broken: 'runs of anything beside it tell of it',
    file: 'src/audit/rules/history/never-started.ts',
    replace: 'for (const folder of new Set(sources.map(folderOf))) {',
    by: "for (const folder of new Set(['exports/', ...sources.map(folderOf)])) {",
    testFile: SILENT,
    fails: 'of files it is told where definition or runs lie together, and that an export may have left it out',
  },
]);
