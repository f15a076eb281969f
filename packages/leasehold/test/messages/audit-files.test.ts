/** What is said of files, tables, archives, and of what Make's scenarios do, word for word. */
import { describe } from 'node:test';
import { HOSTS_SAID } from '../../src/audit/collect/hosts.ts';
import type { Finding } from '../../src/audit/model/finding.ts';
import { ARCHIVE_SAID } from '../../src/audit/readers/files/archive-format.ts';
import { LINE_SAID } from '../../src/audit/readers/files/line-faults.ts';
import { faultOfReading, SAID as FILES_SAID } from '../../src/audit/readers/files/said.ts';
import { UnrelatedFiles } from '../../src/audit/readers/files/unrelated.ts';
import { cutShort } from '../../src/audit/readers/json/cut-short.ts';
import { JSON_SAID } from '../../src/audit/readers/json/json-said.ts';
import { makeFindings } from '../../src/audit/readers/make/findings.ts';
import { MAKE_SCHEDULE_SAID } from '../../src/audit/readers/make/scheduling.ts';
import type { MakeFlags } from '../../src/audit/readers/make/scenario.ts';
import { parseColumnMap } from '../../src/audit/readers/table/column-map.ts';
import { TABLE_SAID } from '../../src/audit/readers/table/table-said.ts';
import { ZAP_SCHEDULE_SAID } from '../../src/audit/readers/zapier/zap-steps.ts';
import { lineFound } from '../../src/audit/readers/lines/line-findings.ts';
import type { LineStep } from '../../src/audit/readers/lines/line-step.ts';
import { readZap } from '../../src/audit/readers/zapier/zap.ts';
import { ZIP_SAID } from '../../src/audit/readers/zip/zip-format.ts';
import { assertSaid, type Said } from './said.ts';

const unrelated = (...paths: string[]): string | null => {
  const files = new UnrelatedFiles();
  for (const path of paths) files.add(path);
  return files.sentence();
};

const FILES: readonly Said[] = [
  [() => FILES_SAID.tooManyFiles(200_000), 'More than 200,000 files: this one and those after it were not read.'],
  [
    () => faultOfReading(new Error("read '/secret/path' failed")),
    'Reading stopped (read … failed): what came before that counts.',
  ],
  [() => LINE_SAID.tooLong(), 'A line of more than 64 MiB was left out.'],
  [() => LINE_SAID.inEntry(1_200, 'Not JSON: left out.'), 'Entry 1,200: Not JSON: left out.'],
  [() => LINE_SAID.more(1), '1 more place like these.'],
  [() => unrelated('a', 'b', 'c.Strange-Ending'), '3 files are not histories or workflows (3 without an ending).'],
  [() => JSON_SAID.tooLarge(), 'An entry of more than 128 MiB was left out.'],
  [() => JSON_SAID.nothingKnown(1_234), 'JSON of 1,234 entries, none of which is a run or a workflow.'],
  [() => JSON_SAID.others(1), '1 entry left out: neither runs nor workflows.'],
  [
    () => ZIP_SAID.tooLargeForPipe(),
    "A ZIP archive of more than 256 MiB can't be read from a pipe or another archive: name the file.",
  ],
  [
    () => JSON_SAID.cutWithNothing(null),
    'Cut short, and nothing in it is whole, so nothing of it was read; export it again.',
  ],
  [
    () => cutShort('{"name":"x","nodes":[{"typeVersion":1,').sentence,
    'Cut short: a workflow of n8n, by its beginning, and nothing in it is whole, so nothing of it was read; export it again.',
  ],
  [
    () => cutShort('{"flow":[{"id":1,"module":"a:b",').sentence,
    'Cut short: a blueprint of Make, by its beginning, and nothing in it is whole, so nothing of it was read; export it again.',
  ],
  [
    () => cutShort('{"zaps":[{').sentence,
    'Cut short: an export of Zapier, by its beginning, and nothing in it is whole, so nothing of it was read; export it again.',
  ],
  [() => JSON_SAID.emptyHistory, 'An empty history: there is no run and no workflow in it.'],
  [() => ARCHIVE_SAID.archive('tar'), 'An archive (tar), which is not opened: unpack it, and name the folder.'],
  [() => ARCHIVE_SAID.packed('xz'), 'Packed with xz, which is not unpacked here: unpack it, and name what comes out.'],
  [() => ZIP_SAID.encrypted('a.json'), '"a.json" in it is encrypted: not read.'],
  [() => ZIP_SAID.tooMany(), 'More than 50,000 entries: the rest was not read.'],
];

const TABLES: readonly Said[] = [
  [
    () => parseColumnMap('begin=Start'),
    '--map: "begin=Start" is not understood; write COLUMN names for start, end, duration, id, workflow, name, status, trigger, retry, version, slot, timezone, wait, host, attempt, each once, and dates=dmy or dates=mdy, unit=ms, s, min or h, for example start=Begin,end=Finish,workflow=Job',
  ],
  [
    () => parseColumnMap('start=Begin,Finish'),
    '--map: "Finish" is not FIELD=COLUMN; write for example start=Begin,end=Finish,workflow=Job',
  ],
  [
    () => TABLE_SAID.unitAssumed('took', 'min'),
    '"took" names no unit: its numbers were read as minutes; where they are not, say --map unit=ms, s, min or h.',
  ],
  [
    () => TABLE_SAID.namesOfRuns('Job name'),
    '"Job name" is another one in each row, so it names runs and not workflows, and no run can be compared with another: say which column names the workflow, --map workflow=COLUMN; where it is this one all the same, --map workflow="Job name".',
  ],
  [
    () => TABLE_SAID.noTwoRuns('name'),
    'No workflow has two runs: "name" is another one in each row, so nothing could be compared; where it names runs, say which column names the workflow, --map workflow=COLUMN.',
  ],
  [
    () => HOSTS_SAID.apart('backup', ['web1', 'web2'], { host: 'server', workflow: 'Job name' }),
    '"backup" ran on 2 hosts ("web1", "web2") by the column "server", on each by a schedule of its own, and was taken for a workflow on each. If the hosts share their work, it is done 2 times over: --map workflow="Job name" judges them together.',
  ],
  [
    () => HOSTS_SAID.together(['a', 'b', 'c', 'd', 'e', 'f'], { host: 'Server', workflow: null }),
    'It ran on 6 hosts ("a", "b", "c", "d", "e" and 1 more) by the column "Server", and was taken for one workflow. If each host works by itself, --map host=Server judges them apart.',
  ],
  [
    () => HOSTS_SAID.together(['a', 'b'], undefined),
    'It ran on 2 hosts ("a", "b"), and was taken for one workflow. If each host works by itself, --map host=COLUMN judges them apart.',
  ],
  [
    () => TABLE_SAID.workers('worker id', 3),
    '"worker id" names 3 and was not taken for the host of a run: runs of one workflow were judged together, whichever of them took it. If each of them works by a schedule of its own, say --map host="worker id".',
  ],
  [
    () => TABLE_SAID.zoneUnknown(1),
    'Zone unknown: 1 time without a time zone, read as UTC; say --timezone if they are local.',
  ],
];

const FLAGS: MakeFlags = { sequential: false, keepsIncomplete: true, dropsData: false, isInstant: false };
const TRIGGER = { id: '1', module: 'google-sheets:watchRows', label: 'Watch rows', value: {}, isHandler: false };
const make = (patch: Partial<MakeFlags>, rule: Finding['rule']): Finding => {
  const found = makeFindings({ ...FLAGS, ...patch }, [TRIGGER]).find((finding) => finding.rule === rule);
  if (found === undefined) throw new Error(`no ${rule}`);
  return found;
};
const CLAIM_FIRST =
  'Put a module before the first one that changes anything that claims the record with Leasehold (SQL in a PostgreSQL module, with the id of the record: docs/guides/sql.md#make), and a filter behind it that goes on only where the answer says that the record is owned.';
const LOCK_FIRST =
  'Put a module first that takes the lock with Leasehold (SQL in a PostgreSQL module: docs/guides/sql.md#make), a filter behind it that goes on where `proceed` is true, and a release at the end of each route.';

const MAKE: readonly Said[] = [
  [
    () => make({ sequential: true }, 'make.sequential-blocks').message,
    'Sequential processing and storing of incomplete executions are both on: one failed run that nobody resolves stops the whole scenario.',
  ],
  [
    () => make({ sequential: true }, 'make.sequential-blocks').advice,
    `Switch sequential processing off and keep runs apart by a lease, which ends by itself. ${LOCK_FIRST}`,
  ],
  [
    () => make({ sequential: true, isInstant: true }, 'platform.switch-is-no-lock').message,
    'Sequential processing takes webhooks one at a time, and it is no lock: "Run once", a call of the API and a retried webhook bring the same record again.',
  ],
  [
    () => make({ sequential: true }, 'platform.switch-is-no-lock').message,
    'Sequential processing is no lock: it keeps webhooks in line, while "Run once", a call of the API and a retry of an incomplete execution may meet a scheduled run and read the same records.',
  ],
  [() => make({ isInstant: true }, 'guard.missing').advice, CLAIM_FIRST],
  [() => make({}, 'guard.missing').advice, LOCK_FIRST],
  [
    () => make({ isInstant: true }, 'guard.missing').message,
    'Nothing keeps two runs of this scenario apart: sequential processing is off, and the webhook starts a run for each request, beside those that are still going.',
  ],
  [
    () => make({}, 'guard.missing').message,
    'Nothing keeps two runs of this scenario apart: sequential processing is off, and an incomplete execution is retried later, and may meet a scheduled run.',
  ],
  [
    () => make({ keepsIncomplete: false }, 'guard.missing').message,
    'Nothing keeps two runs of this scenario apart: sequential processing is off, and "Run once" and calls of the API may meet a scheduled run.',
  ],
  [
    () => make({ dropsData: true }, 'make.data-loss').message,
    '"Enable data loss" is on: where an incomplete execution can\'t be stored, the scenario goes on, and what it was working on is gone.',
  ],
  [
    () => make({ dropsData: true }, 'make.data-loss').advice,
    `Switch "Enable data loss" off, and let an input that was not finished be found again. ${CLAIM_FIRST}`,
  ],
  [
    () => make({ keepsIncomplete: false, isInstant: true }, 'make.data-loss').message,
    'Incomplete executions are not stored: the record that a failed run was working on came by the webhook and is lost.',
  ],
  [
    () => make({ keepsIncomplete: false }, 'make.data-loss').message,
    'Incomplete executions are not stored: a failed run is rolled back, and the records that it had already worked are read and worked again.',
  ],
  [
    () => make({ keepsIncomplete: false, isInstant: true }, 'make.data-loss').advice,
    'Switch on "Store incomplete executions", and look through them; or fill a pool of Leasehold from the webhook and work it in a scenario of its own.',
  ],
  [
    () => MAKE_SCHEDULE_SAID.noInterval,
    'The schedule repeats, and its interval is not in the file; Make takes 15 minutes unless told otherwise.',
  ],
  [
    () => MAKE_SCHEDULE_SAID.restricted,
    'The schedule is restricted to some hours, days or months, which is not planned here: gaps may be larger than told.',
  ],
  [() => MAKE_SCHEDULE_SAID.unread('odd'), 'The schedule is of the kind "odd", whose instants are not planned here.'],
];

const delayed = (): Finding | undefined => {
  const findings: Finding[] = [];
  const step = { id: 1, parent_id: null, selected_api: 'DelayCLIAPI@1', action: 'queue' };
  const sink = { run: () => {}, unread: () => {}, limit: () => {} };
  readZap({ id: 1, nodes: { 1: step } }, 'zapfile.json', {
    ...sink,
    workflow: (found) => findings.push(...found.findings),
  });
  return findings[0];
};

const [READ, MAIL, MARK] = [
  ['Find new', 'read'],
  ['Mail', 'effect'],
  ['Mark it', 'mark'],
].map(([label, does]) => ({ label, does, app: 'sheets', action: label }) as LineStep) as [LineStep, LineStep, LineStep];
const lineOf = (...steps: LineStep[]): readonly string[] =>
  lineFound(steps, { step: 'module', claim: 'Claim.' }).findings.map(({ message }) => message);

const LINES: readonly Said[] = [
  [
    () => lineOf(READ, MAIL, MARK)[0],
    'Between "Find new" and the first status write, "Mark it", lies 1 module: a run that starts in that time reads the same records and works them too.',
  ],
  [
    () => lineOf(READ, MAIL, MAIL, MARK)[0],
    'Between "Find new" and the first status write, "Mark it", lie 2 modules: a run that starts in that time reads the same records and works them too.',
  ],
  [
    () => lineOf(READ, MAIL, MARK)[1],
    '"Mail" comes before the mark, "Mark it": a run that stops between the two is followed by one that does it again.',
  ],
  [
    () => lineOf(READ, MAIL)[0],
    'No status write was recognised: where nothing marks what "Find new" reads, the next run reads the same records and does "Mail" for them again.',
  ],
];

const hourly = (): Finding | undefined => {
  const findings: Finding[] = [];
  const trigger = { id: 1, parent_id: null, selected_api: 'ScheduleCLIAPI@1', action: 'everyHour' };
  const act = { id: 2, parent_id: 1, selected_api: 'GmailV2CLIAPI@2', action: 'message', title: 'Mail' };
  readZap({ id: 1, nodes: { 1: trigger, 2: act } }, 'zapfile.json', {
    run: () => {},
    unread: () => {},
    limit: () => {},
    workflow: (found) => findings.push(...found.findings),
  });
  return findings[0];
};

const ZAPIER: readonly Said[] = [
  [
    () => hourly()?.message,
    'Nothing keeps a second run out: the schedule starts the Zap on time whether or not the run before has ended, and "Mail" is reached without a guard.',
  ],
  [
    () => hourly()?.advice,
    'Put a step before the first one that changes anything that claims the record with Leasehold (SQL in a PostgreSQL step, with the id of the record: docs/guides/sql.md#zapier), and a filter behind it that goes on only where the answer says that the record is owned.',
  ],
  [
    () => TABLE_SAID.byRecord,
    "A Zap starts once for each record: its runs count as started by a record, but for those of a Zap that the account's export, read beside them, shows to be started by a schedule.",
  ],
  [
    () => delayed()?.message,
    '"Delay After Queue" spaces starts and is no lock: the next run leaves the queue after a fixed time, whether or not the one before it has ended, and a replay goes round the queue.',
  ],
  [
    () => delayed()?.advice,
    'Put a step behind the delay that claims the record with Leasehold (SQL in a PostgreSQL step, with the id of the record: docs/guides/sql.md#zapier), and a filter that goes on only where the answer says that the record is owned.',
  ],
  [
    () => ZAP_SCHEDULE_SAID.poll,
    "Zapier asks for new records every 1 to 15 minutes, by the account's plan; the file doesn't tell which.",
  ],
];

describe('files', () => assertSaid(FILES));
describe('tables', () => assertSaid(TABLES));
describe('scenarios of Make', () => assertSaid(MAKE));
describe('lines of steps', () => assertSaid(LINES));
describe('Zaps', () => assertSaid(ZAPIER));
