/** Negative controls of what is made of histories: each guard taken out of a copy, and the fact seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const OVERLAPS = 'test/audit/history/overlaps.test.ts';
const EXCLUSION = 'test/audit/history/exclusion.test.ts';
const COLLECTOR = 'test/audit/collect/collector.test.ts';
const REPORTS = 'test/audit/rules/field-reports.test.ts';
const CLOCKS = 'test/audit/rules/clock-reports.test.ts';
const RULES = 'test/audit/rules/history-rules.test.ts';
const ADVICE = 'test/audit/advice/advice.test.ts';
const TERMINAL = 'test/audit/report/terminal.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'a start at the instant of an end is an overlap',
    file: 'src/audit/history/overlaps.ts',
    replace: 'if (start < lastMs) {',
    by: 'if (start <= lastMs) {',
    testFile: OVERLAPS,
    fails: 'a run that starts at the instant another ends does not overlap it',
  },
  {
    broken: 'the run before is the only one that is looked at',
    file: 'src/audit/history/overlaps.ts',
    replace: 'if (end > lastMs) [lastMs, lastAt] = [end, later];',
    by: '[lastMs, lastAt] = [end, later];',
    testFile: OVERLAPS,
    fails: 'the sweep finds what a comparison of each run with each finds',
  },
  {
    broken: "a crashed run's end is as good as any",
    file: 'src/audit/history/overlaps.ts',
    replace: 'if (isCrashed[later] !== 1 && end > certainMs)',
    by: 'if (end > certainMs)',
    testFile: OVERLAPS,
    fails: 'an overlap with a crashed run alone is told apart, since nobody knows when that one really ended',
  },
  {
    broken: 'an end before the start is believed',
    file: 'src/audit/history/exclusion.ts',
    replace: '(endMs < startMs || endMs > latestMs)',
    by: '(endMs > latestMs)',
    testFile: EXCLUSION,
    fails: 'a run that ended before it started is left out: clock',
  },
  {
    broken: 'the future is believed',
    file: 'src/audit/history/exclusion.ts',
    replace: ' || startMs > latestMs) return',
    by: ') return',
    testFile: EXCLUSION,
    fails: 'a run that runs since an instant in the future is left out: clock',
  },
  {
    broken: 'a run by hand counts',
    file: 'src/audit/history/exclusion.ts',
    replace: "if (cause === 'sub-workflow' || cause === 'manual') return cause;",
    by: "if (cause === 'sub-workflow') return cause;",
    testFile: EXCLUSION,
    fails: 'a run by hand is left out: manual',
  },
  {
    broken: 'a run that two files hold counts twice',
    file: 'src/audit/collect/run-table.ts',
    replace: 'if (this.#mayBeOne(known, row, isPlace)) {',
    by: 'if (false) {',
    testFile: COLLECTOR,
    fails: 'the same run in two files counts once',
  },
  {
    broken: 'the first word of a run is kept for good',
    file: 'src/audit/collect/run-table.ts',
    replace: 'if (!isLater && !knowsStart) return;',
    by: 'return;',
    testFile: COLLECTOR,
    fails: 'a run that was running in one export and had ended in another has ended, whichever came first',
  },
  {
    broken: 'the place in a file is an id',
    file: 'src/audit/collect/run-table.ts',
    replace: 'const PLACE = /^[a-z]+ \\d+$/;',
    by: 'const PLACE = /^never$/;',
    testFile: COLLECTOR,
    fails: 'runs without an id, named by their line, are the same only where their instants are',
  },
  {
    broken: 'a name counts in every folder',
    file: 'src/audit/collect/subjects.ts',
    replace: 'return `${folder}\\n${name}`;',
    by: "return folder === '' ? '' : name;",
    testFile: COLLECTOR,
    fails: 'runs that know only a name belong to the one definition of that name in their folder',
  },
  {
    broken: 'a change of clocks is no reason',
    file: 'src/audit/rules/history/slot-missed.ts',
    replace: 'gap: zoneGap(stretch, changes) }',
    by: 'gap: null as ZoneGap | null }',
    testFile: CLOCKS,
    fails: 'a job of every 10 s that is silent for the repeated hour is explained by the clocks (C137)',
  },
  {
    broken: 'any gap is explained by a change of clocks somewhere',
    file: 'src/audit/history/zone-gap.ts',
    replace:
      'if (firstMs < atMs - changeMs || lastMs >= atMs + changeMs) return false;\n  if (isZoneKnown) return true;',
    by: 'return true;',
    testFile: CLOCKS,
    fails: 'an hour of silence that no change of clocks accounts for is missed (C137)',
  },
  {
    broken: 'no offset is looked for',
    file: 'src/audit/history/planned-slots.ts',
    replace: 'steadyMs !== null && steadyMs > OFFSET_MS_MIN ? steadyMs : 0',
    by: '0',
    testFile: REPORTS,
    fails: 'starts that are all 2 h 40 late are an offset, neither missed nor extra (C132)',
  },
  {
    broken: 'the whole history counts for the period',
    file: 'src/audit/history/period.ts',
    replace: 'return changedAt === null ? 0 : afterChange(starts, { from: changedAt, perSlot, periodMs });',
    by: 'return 0;',
    testFile: RULES,
    fails: 'a schedule that was changed is judged by what it is now',
  },
  {
    broken: 'a crowd of events has a schedule',
    file: 'src/audit/history/period.ts',
    replace: 'middle < perSlot * APART_MS_MIN',
    by: 'middle <= 0',
    testFile: RULES,
    fails: 'starts that come closer than a second keep to no slots, however even they are',
  },
  {
    broken: 'rules that meet plan one start',
    file: 'src/audit/history/planned-slots.ts',
    replace: 'Math.max(1, plan.countAt(planned[number] ?? 0))',
    by: '1',
    testFile: RULES,
    fails: 'several rules that meet at one instant plan several starts there',
  },
  {
    broken: 'a schedule of two times a day is a trigger that fires twice',
    file: 'src/audit/rules/history/trigger-duplicate.ts',
    replace: "if (slots.basis !== 'inferred') return slots.shared;",
    by: 'return slots.shared;',
    testFile: RULES,
    fails: 'a schedule of 9:00 and 17:00 that nobody told is two slots a day, and no double start',
  },
  {
    broken: 'a quarter of the lease is advised',
    file: 'src/audit/advice/advice.ts',
    replace: 'Math.ceil(longest / 1_000)',
    by: 'Math.ceil(longest / 4_000)',
    testFile: ADVICE,
    fails: 'with the advised lease and skip no start of its own history would have overlapped another',
  },
  {
    broken: 'a crashed run gives its lock back',
    file: 'src/audit/advice/replay.ts',
    replace: 'freeAtMs = hasCrashed ? start + leaseMs : ',
    by: 'freeAtMs = ',
    testFile: ADVICE,
    fails: 'a crashed run holds its lock until the lease is over',
  },
  {
    broken: 'a wait of the definition is left out',
    file: 'src/audit/advice/advice.ts',
    replace: 'waitMs > (sample?.slowestMs ?? 0) && !isByLimit ? (usualMs ?? 0) + waitMs : null,',
    by: 'null,',
    testFile: ADVICE,
    fails: 'a lease spans a wait that the definition shows and the history does not',
  },
  {
    broken: 'control characters are printed',
    file: 'src/audit/report/terminal.ts',
    replace: 'oneLine(text, TEXT_LENGTH_MAX)',
    by: 'text',
    testFile: TERMINAL,
    fails: 'long sentences keep to a hundred columns, and control characters out of the terminal',
  },
  {
    broken: 'findings are printed as they were found',
    file: 'src/audit/audited-workflow.ts',
    replace: 'return IDS.has(key) ? redactId(value) : redact(value);',
    by: 'return value;',
    testFile: TERMINAL,
    fails: 'the worst finding comes first, and no secret goes through',
  },
];

describeMutantsInPairs('histories and what is advised', MUTANTS);
