/** 200 MB of each form go through a process whose heap may have 64: nothing is read into memory whole. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import type { AuditReport } from '../../src/audit/model/report.ts';
import { MAIN } from '../cli/command-line.ts';

const HEAP_MB = 64;
const ENTRIES = 10_000;
const NOTE = 'x'.repeat(20_000);
const START = Date.UTC(2026, 0, 1);

const entry = (at: number): Readonly<Record<string, string>> => ({
  id: String(at),
  workflow: 'sync',
  start: new Date(START + at * 600_000).toISOString(),
  end: new Date(START + at * 600_000 + 60_000).toISOString(),
  note: NOTE,
});

interface Form {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly text: (at: number) => string;
}
const json = (before: string, between: string, after: string): Form => ({
  before,
  between,
  after,
  text: (at) => JSON.stringify(entry(at)),
});

const FORMS: Readonly<Record<string, Form>> = {
  NDJSON: json('', '\n', '\n'),
  'a JSON list on one line': json('[', ',', ']'),
  'a JSON list in a wrapper': json('{"page":1,"data":{"results":[', ',\n', ']},"next":null}'),
  CSV: {
    before: 'id,workflow,start,end,note\n',
    between: '\n',
    after: '\n',
    text: (at) => Object.values(entry(at)).join(','),
  },
};

async function send(form: Form, to: Writable): Promise<void> {
  to.write(form.before);
  for (let at = 0; at < ENTRIES; at += 1) {
    if (!to.write(form.text(at) + (at + 1 < ENTRIES ? form.between : ''))) await once(to, 'drain');
  }
  to.end(form.after);
}

describe('a file of 200 MB', () => {
  for (const [name, form] of Object.entries(FORMS)) {
    it(`as ${name} is read to its end`, async () => {
      const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, MAIN, 'audit', '-', '--json'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const [stdout] = await Promise.all([text(child.stdout), send(form, child.stdin)]);
      const { workflows, unread } = JSON.parse(stdout) as AuditReport;
      assert.deepEqual([workflows.map(({ history }) => history.runs), unread], [[ENTRIES], []]);
    });
  }
});
