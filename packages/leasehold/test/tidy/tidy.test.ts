/** The rules of the house, on the repository as it is. What each rule catches is shown in rules.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_REPORTS, SHARED_REPORTS, UNANSWERED_REPORTS } from '../field-reports.ts';
import { arrowFindings } from './arrows.ts';
import { callFindings } from './calls.ts';
import { exportFindings } from './exports.ts';
import { messageFindings } from './messages.ts';
import { type LoneFiles, nameFindings, storeFindings } from './names.ts';
import { reachFindings } from './reach.ts';
import { reportFindings } from './reports.ts';
import { sizeFindings } from './sizes.ts';
import { type Finding, readTree } from './tree.ts';
import { wordFindings } from './words.ts';

/** Files that only one of the two stores needs. PostgreSQL decides in SQL functions, has a clock and a server that waits. */
const LONE_FILES: LoneFiles = {
  'sqlite/busy-retry.ts': 'waiting for another process is left to the caller; a server queues by itself',
  'sqlite/columns.ts': 'node:sqlite answers untyped columns; pg has parsers',
  'sqlite/file-system.ts': 'a server minds its own files',
  'sqlite/locks.ts': 'reads and writes a row for the decisions made here; PostgreSQL makes them in SQL',
  'sqlite/session.ts': 'prepared statements of one connection; a pooler forbids them',
  'sqlite/start-answers.ts': 'words the answers that PostgreSQL words in SQL',
  'sqlite/start-refusals.ts': 'writes the outcomes that PostgreSQL writes in SQL',
  'sqlite/start.ts': 'is what the steps of a start share, which PostgreSQL takes in SQL',
  'sqlite/near-end.ts': 'tells what PostgreSQL tells in SQL',
  'sqlite/plan.ts': 'keeps the plan that PostgreSQL keeps in SQL',
  'sqlite/slots.ts': 'keeps the slots that PostgreSQL keeps in SQL',
  'sqlite/store-clock.ts': 'a file has no clock of its own',
  'sqlite/file-identity.ts': 'a server has no files that somebody could delete under it',
  'sqlite/store-file.ts': 'a server minds its own files',
  'sqlite/records/apply-lookup.ts': 'does what PostgreSQL does in SQL',
  'sqlite/records/begin.ts': 'begins a record, which PostgreSQL does in SQL',
  'sqlite/records/claims.ts': 'reads and writes the rows of claims for the decisions made here',
  'sqlite/records/evidence.ts': 'keeps a late word as evidence, which PostgreSQL does in SQL',
  'sqlite/records/extend.ts': 'extends a lease, which PostgreSQL does in SQL',
  'sqlite/records/offers.ts': 'decides on offered records one by one; PostgreSQL on all in one statement',
  'sqlite/records/plain-work.ts': 'spares most records the reading, which PostgreSQL spares them in SQL',
  'sqlite/records/queue.ts': 'takes from the queue what PostgreSQL takes in SQL',
  'sqlite/records/repeat.ts': 'answers a claim that is asked for again, as PostgreSQL does in SQL',
  'sqlite/records/record-events.ts': 'tells what PostgreSQL tells in SQL',
  'sqlite/records/records.ts': 'reads and writes the rows of records for the decisions made here',
  'sqlite/records/rows.ts': 'node:sqlite answers untyped columns; functions of PostgreSQL answer what they mean',
  'sqlite/records/said.ts': 'is what the steps of a verdict share, which PostgreSQL takes in SQL',
  'sqlite/records/seen.ts': 'compares what was asked about, which PostgreSQL does in SQL',
  'sqlite/records/settle.ts': 'settles what PostgreSQL settles in SQL',
  'sqlite/records/taking.ts': 'gives records to a claim, which PostgreSQL does in SQL',
  'sqlite/records/verdict.ts': 'takes a verdict, which PostgreSQL does in SQL',
  'sqlite/records/versions.ts': 'keeps versions of an id in their order, which PostgreSQL does in SQL',
  'sqlite/records/work-times.ts': 'reckons percentiles, for which PostgreSQL has aggregates',
  'postgres/records/calls.ts': 'the calls of the SQL functions; the statements of SQLite are with the operations',
  'postgres/records/keys.ts': 'keys as the arrays that its functions take',
  'postgres/calls.ts': 'the calls of the SQL functions; the statements of SQLite are with the operations',
  'postgres/pooler.ts': 'a file is opened by the process itself, with nothing in between',
  'postgres/install-script.ts': 'the schema as one file to paste; nobody pastes into SQLite',
};

const tree = readTree();

function assertNone(findings: readonly Finding[]): void {
  assert.equal(findings.length, 0, `\n${findings.join('\n')}`);
}

test('imports follow the arrows of the design', () => assertNone(arrowFindings(tree)));
test('clock, randomness and process are in platform only, and only the command line prints', () =>
  assertNone(callFindings(tree)));
test('files are short', () => assertNone(sizeFindings(tree)));
test('names say what is inside', () => assertNone(nameFindings(tree)));
test('both stores have the same files', () => assertNone(storeFindings(tree, LONE_FILES)));
test('every source file is used', () => assertNone(reachFindings(tree)));
test('every public name has a docstring', () => assertNone(exportFindings(tree)));
test('nothing is left over, and nothing names a machine or a registry', () => assertNone(wordFindings(tree)));
test('every field report is answered by a test that bears its number', () => {
  const known = new Set(Object.keys(FIELD_REPORTS));
  assertNone(reportFindings(tree, { known, unanswered: new Set(Object.keys(UNANSWERED_REPORTS)) }));
  for (const number of Object.keys(SHARED_REPORTS)) assert.ok(known.has(number), number);
});
test('every sentence that is said stands word for word in a test', () => assertNone(messageFindings(tree)));
