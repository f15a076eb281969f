/** docs/audit.md says what the auditor does: every rule, every option, the fields of its JSON. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RULES } from '../../src/audit/model/finding.ts';
import { SAMPLES } from '../audit/history-samples.ts';
import { say } from '../cli/understood-lines.ts';
import { readPage } from './pages.ts';

const page = readPage('docs/audit.md');
const sectionOf = (heading: string): string =>
  page.split(/^#{2,3} /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';

test('each rule has a paragraph that says what to do, in the order of the contract', () => {
  const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings, [...RULES]);
  for (const rule of RULES) {
    const paragraph = sectionOf(rule);
    assert.ok(paragraph.length > 100, rule);
    assert.match(paragraph, /\*Do:\* /, rule);
  }
});

test('each rule has its severities in the table, and histories have no other', () => {
  for (const rule of RULES)
    assert.match(page, new RegExp(`^\\| \`${rule.replace('.', '\\.')}\` \\| .*(?:critical|warning|info)`, 'm'), rule);
  for (const sample of Object.values(SAMPLES)) {
    const { rule, severity } = sample();
    const row = new RegExp(`^\\| \`${rule.replace('.', '\\.')}\` \\| (.*) \\|$`, 'm').exec(page)?.[1] ?? '';
    assert.ok(row.includes(severity), `${rule} ${severity}`);
  }
});

test('each option has its row, and each row an option', async () => {
  const { stdout } = await say(['audit', '--help']);
  const options = [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option = '']) => option);
  const rows = [...sectionOf('Options').matchAll(/`(--[\w-]+)/g)].map(([, option = '']) => option);
  const own = new Set([...rows, '--store', '--config']);
  assert.ok(options.length > 5);
  assert.deepEqual(
    options.filter((option) => !own.has(option)),
    [],
  );
  assert.deepEqual(
    rows.filter((option) => !options.includes(option)),
    [],
  );
});

test('the JSON that is shown is as the schema says', () => {
  const shown = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
  const schema = JSON.parse(
    readFileSync(new URL('../../schemas/audit-report.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const isValid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
  assert.ok(isValid(JSON.parse(shown)), JSON.stringify(isValid.errors));
});
