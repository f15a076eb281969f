/** Negative controls of the corpus: facts and guards taken out of a copy, and its answers seen to differ. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const corpus = (family: string): string => `test/audit/corpus/${family}.test.ts`;
const REPORTS = 'test/audit/rules/field-reports.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'a Slack node without an operation is read as nothing',
    file: 'src/audit/n8n-nodes/defaults/messages.ts',
    replace:
      "        message: 'post',\n        star: 'add',\n        file: 'upload',\n        reaction: 'add',\n        user: 'info',\n        userGroup: 'create',\n      },\n    },\n    {",
    by: "        message: '',\n      },\n    },\n    {",
    testFile: corpus('defaults'),
    fails: 'acts-slack-2.3',
  },
  {
    broken: 'cards of a list are other records than cards',
    file: 'src/audit/n8n-nodes/places.ts',
    replace: "  'trello.list': 'card',\n",
    by: '',
    testFile: corpus('tables'),
    fails: 'trello-cards',
  },
  {
    broken: 'hours count beyond a day',
    file: 'src/audit/readers/n8n-workflow/schedule-rule.ts',
    replace: 'usual: 1, most: 23 }',
    by: 'usual: 1, most: 999 }',
    testFile: corpus('triggers'),
    fails: 'hours-24',
  },
  {
    broken: 'a run that is open since long begins the slots',
    file: 'src/audit/history/history.ts',
    replace: 'if (firstMs === undefined) return rows;',
    by: 'return rows;',
    testFile: REPORTS,
    fails: 'a run that is open since three months before all others begins no slots (C127)',
  },
  {
    broken: 'how long a crashed run seems to have taken counts',
    file: 'src/audit/advice/sample.ts',
    replace: 'if (used.isCrashed[at] === 1) continue;',
    by: '',
    testFile: corpus('executions'),
    fails: 'a-crash-that-nobody-ended',
  },
  {
    broken: 'any two times are a run',
    file: 'src/audit/readers/table/layout.ts',
    replace: 'return isBare && Object.keys(others).length === 0;',
    by: 'return false;',
    testFile: 'test/audit/files/json.test.ts',
    fails: 'of two times beside what is of no run is no history, and of two times alone or with a run is one',
  },
  {
    broken: 'a lease over a day is written in minutes',
    file: 'src/audit/advice/advice.ts',
    replace: 'return leaseMs > DAY_MS ? formatDuration(Math.ceil(leaseMs / HOUR_MS) * HOUR_MS) : asOption(leaseMs);',
    by: 'return `${leaseMs / 60_000}m${formatDuration(0).slice(3)}`;',
    testFile: 'test/audit/advice/advice.test.ts',
    fails: 'a lease over a day is written in days and hours, and never shorter than it is',
  },
];

describeMutantsInPairs('known answers', MUTANTS);
