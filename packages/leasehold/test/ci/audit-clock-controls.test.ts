/** Negative controls of what is made of clock changes: each guard taken out of a copy, and the fact seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const CHANGES = 'test/audit/schedule/clock-change-rules.test.ts';
const HOURS = 'test/audit/files/repeated-hours.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'starts an hour apart are a rhythm, however few they are',
    file: 'src/audit/schedule/change-span.ts',
    replace: 'rhythmMs < shift || (rhythmMs === shift && days.fields.hours.length === HOURS)',
    by: 'rhythmMs <= shift',
    testFile: CHANGES,
    fails: 'five named hours are five starts, of which one is lost and one doubled',
  },
  {
    broken: 'a rhythm is so many starts',
    file: 'src/audit/schedule/change-effects.ts',
    replace: 'const effects = span.isRhythm ? [] : timeEffects(',
    by: 'const effects = timeEffects(',
    testFile: CHANGES,
    fails: 'a quarter of an hour in the hours of the night goes on through both changes',
  },
  {
    broken: 'a start that is made up for together with another is lost',
    file: 'src/audit/schedule/change-effects.ts',
    replace: 'times.length - (after.length - byWall.size)',
    by: 'times.length - others.length',
    testFile: CHANGES,
    fails: "Debian's cron makes up for one of five named hours, together with the next",
  },
  {
    broken: 'what no time asks for is not looked for',
    file: 'src/audit/schedule/change-effects.ts',
    replace: "return added.length > 0 ? [{ kind: 'added', starts: added.slice(0, 3) }] : [];",
    by: 'return [];',
    testFile: CHANGES,
    fails: 'n8n starts in autumn what no time of the rule asks for, and in spring only one of two that are skipped',
  },
  {
    broken: 'a silent hour is looked for by the longest gap of the day',
    file: 'src/audit/schedule/change-effects.ts',
    replace: 'const longestMs = isWithin ? span.rhythmMs : usual.maxMs;',
    by: 'const longestMs = usual.maxMs;',
    testFile: CHANGES,
    fails: 'what starts each half hour of the night is silent where its host waits for the wall (C137)',
  },
  {
    broken: 'rows are taken to be oldest first',
    file: 'src/audit/readers/table/repeated-hours.ts',
    replace: "const isDown = order === 'down';",
    by: 'const isDown = false;',
    testFile: HOURS,
    fails: 'is told by the order of runs of 5 minutes each 30, oldest or newest first',
  },
  {
    broken: 'any order is an order',
    file: 'src/audit/readers/table/repeated-hours.ts',
    replace: "return down >= ORDER_RATIO * up ? 'down' : 'mixed';",
    by: "return down >= ORDER_RATIO * up ? 'down' : 'up';",
    testFile: HOURS,
    fails: 'stays open in a file that is in no order, even where two rows of it look like the end of a pass',
  },
  {
    broken: 'of two answers the first is taken',
    file: 'src/audit/readers/table/repeated-hours.ts',
    replace: 'cut === undefined || others.length > 0 ||',
    by: 'cut === undefined || others.length > 9 ||',
    testFile: HOURS,
    fails: 'stays open where one pass alone has runs: a day has one start at 02:30',
  },
  {
    broken: 'any step back is the end of a pass',
    file: 'src/audit/readers/table/repeated-hours.ts',
    replace: 'if (cut === 0 || cut === instants.length) return true;',
    by: 'return true;',
    testFile: HOURS,
    fails: 'is not told by one row out of its turn',
  },
  {
    broken: 'a start of which nobody knows the hour is as good as any',
    file: 'src/audit/readers/table/repeated-hours.ts',
    replace: '{ ...run, isClockSuspect: true, isHourOpen: true }',
    by: 'run',
    testFile: HOURS,
    fails: 'stays open in a file that is in no order, and nothing is made of these runs',
  },
  {
    broken: 'a duration tells nothing',
    file: 'src/audit/readers/table/row-times.ts',
    replace: 'const left = fitting.length > 0 ? fitting : possible;',
    by: 'const left = possible;',
    testFile: HOURS,
    fails: 'is told by a row with a duration, by an end before its start, and by a start behind it',
  },
];

describeMutantsInPairs('clock changes', MUTANTS);
