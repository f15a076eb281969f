/** Negative controls of what goes out, of what an edit makes unknown, and of what waits: each guard taken out of a copy. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const SECRETS = 'test/audit/secrets/secrets.test.ts';
const EDITED = 'test/audit/rules/edited-workflow.test.ts';
const WAITING = 'test/audit/files/waiting.test.ts';
const NAMES = 'test/audit/files/names-apart.test.ts';
const HOSTS = 'test/audit/collect/hosts.test.ts';
const HOST_COLUMNS = 'test/audit/files/host-columns.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'a report is put together as its readers left it',
    file: 'src/audit/audited-workflow.ts',
    replace: "if (typeof value === 'string') return IDS.has(key) ? redactId(value) : redact(value);",
    by: '',
    testFile: SECRETS,
    fails: 'n8n: a zone',
  },
  {
    broken: 'addresses are looked at without their paths',
    file: 'src/audit/redact.ts',
    replace: 'return ADDRESS_LIKE.test(left) ? redactAddresses(left) : left;',
    by: 'return left;',
    testFile: SECRETS,
    fails: 'n8n: a name',
  },
  {
    broken: 'words of a command are looked at one by one',
    file: 'src/audit/readers/crontab/secret-words.ts',
    replace: '(!shown.includes(word) && redact(word) === word)',
    by: 'false',
    testFile: SECRETS,
    fails: 'crontab: what is looked for',
  },
  {
    broken: 'a plain word of a command is never a password',
    file: 'src/audit/made-up.ts',
    replace: 'return hasDigit && (',
    by: 'return hasDigit && word.length > 99 && (',
    testFile: SECRETS,
    fails: 'crontab: a command',
  },
  {
    broken: 'a long name is cut within a word',
    file: 'src/audit/readers/n8n-workflow/definition.ts',
    replace: ".replace(/(?<=\\s)\\S*$/, '')",
    by: '',
    testFile: SECRETS,
    fails: 'n8n: a long name of a node',
  },
  {
    broken: 'workflows are known by what is shown of their names',
    file: 'src/audit/readers/table/row-reader.ts',
    replace: "const known = this.#text('workflow', row) ?? name ?? this.#source;",
    by: "const known = this.#shown(this.#text('workflow', row) ?? name ?? this.#source);",
    testFile: NAMES,
    fails: 'two workflows that differ in a secret alone stay two',
  },
  {
    broken: 'what ran on several hosts is one workflow',
    file: 'src/audit/collect/hosts.ts',
    replace: 'steady.length > 1 && countOf',
    by: 'steady.length > 99 && countOf',
    testFile: HOSTS,
    fails: 'are a workflow on each where each has a schedule of its own, and none of them overlaps',
  },
  {
    broken: 'a host needs no schedule of its own to be a workflow of its own',
    file: 'src/audit/collect/hosts.ts',
    replace: ' && isRegular(starts)',
    by: ' && isRegular(starts) !== null',
    testFile: HOSTS,
    fails: 'are one workflow where the hosts take them from each other without a pattern',
  },
  {
    broken: 'a host that came after another has been there all the time',
    file: 'src/audit/collect/hosts.ts',
    replace: 'const SPAN_SHARE_MIN = 0.5;',
    by: 'const SPAN_SHARE_MIN = 0;',
    testFile: HOSTS,
    fails: 'are one workflow where one host came after the other, or a second took a run now and then',
  },
  {
    broken: 'each run may name a host of its own, and each is kept',
    file: 'src/audit/collect/collector.ts',
    replace: '(this.#hostCounts.get(workflow) ?? 0) < HOSTS_MAX',
    by: 'true',
    testFile: HOSTS,
    fails: 'take no room from workflows where each run names a host of its own',
  },
  {
    broken: 'a host counts where somebody said what the workflow is',
    file: 'src/audit/readers/table/layout.ts',
    replace: 'if (host === undefined && (workflow',
    by: "if (host === '' && (workflow",
    testFile: HOST_COLUMNS,
    fails: 'is no part of the workflow where --map says what the workflow is',
  },
  {
    broken: 'starts before an edit are held against the schedule after it',
    file: 'src/audit/context.ts',
    replace: 'isOwn ? (subject.definition?.changedAtMs ?? null) : null',
    by: 'isOwn ? null : null',
    testFile: EDITED,
    fails: 'has no missed slots before that, where its schedule was another one',
  },
  {
    broken: 'what was left out before an edit is not counted on',
    file: 'src/audit/history/history-slots.ts',
    replace: 'from: slot.from + before, to: slot.to + before',
    by: 'from: slot.from, to: slot.to',
    testFile: EDITED,
    fails: 'has no double starts before that either, and those after it at their places',
  },
  {
    broken: 'what waits is stuck after a day',
    file: 'src/audit/rules/history/run-stuck.ts',
    replace: 'return waitMs === undefined ? openMs > waitLimitMs : untilMs - waitMs > WAKE_MS_MAX;',
    by: 'return openMs > waitLimitMs;',
    testFile: WAITING,
    fails: 'is stuck when the instant that it waits for is over, and not before, however long that takes',
  },
  {
    broken: 'a table without a status has nothing that waits',
    file: 'src/audit/readers/table/row-reader.ts',
    replace: 'return tells ? undefined : isForEver ? null : waitMs;',
    by: 'return undefined;',
    testFile: WAITING,
    fails: 'is told by the instant that it waits for, in a table that has no status',
  },
  {
    broken: 'an event is as good as a clock',
    file: 'src/audit/readers/n8n-executions/exported-run.ts',
    replace: "return run.cause === 'trigger' && isByEvent(value) ? { ...run, cause: 'webhook' } : run;",
    by: 'return isByEvent(value) ? run : run;',
    testFile: WAITING,
    fails: 'beside a clock is no start of its schedule',
  },
];

describeMutantsInPairs('what goes out, what is unknown, what waits', MUTANTS);
