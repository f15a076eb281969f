/**
 * As somebody would who looks for secrets in a report: each shape of a secret in each field that any reader takes in,
 * and none of it in the terminal, the JSON or the page.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { audit } from '../../../src/audit/audit.ts';
import { htmlReport } from '../../../src/audit/report/html/page.ts';
import { jsonPieces } from '../../../src/audit/report/json.ts';
import { terminalReport } from '../../../src/audit/report/terminal.ts';
import { CRONTAB_FIELDS, CRONTABS } from './crontab-places.ts';
import { type Files, type Place, PLACES } from './places.ts';
import { COMMANDS, type Shape, TEXTS } from './shapes.ts';

const NOW = Date.parse('2026-06-02T00:00:00Z');
const DAY_MS = 86_400_000;

async function shownOf(folder: string, files: Files): Promise<Readonly<Record<string, string>>> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const said: string[] = [];
  const { report, pictures } = await audit({
    sources: [folder],
    window: { fromMs: NOW, toMs: NOW + 400 * DAY_MS },
    everyMs: null,
    reading: {
      nowMs: NOW,
      timezone: null,
      map: null,
      days: 30,
      env: {},
      stdin: () => {
        throw new Error('nothing is piped');
      },
      sleep: () => Promise.resolve(),
      schedule: () => ({ cancel: () => undefined }),
      warn: (line) => void said.push(line),
      progress: (line) => void said.push(line),
    },
  });
  return {
    json: [...jsonPieces(report)].join(''),
    terminal: terminalReport(report).replaceAll(/\s+/g, ' '),
    page: await htmlReport({ report, pictures: pictures(), at: new Date(NOW) }),
    stderr: said.join('\n'),
  };
}

/** Half a key is half the work of guessing it. */
const PART = 8;
/** Every shape of a secret in one report is too many files; so many at a time. */
const leaksIn = (shown: Readonly<Record<string, string>>, { secrets }: Shape): string[] =>
  Object.entries(shown).flatMap(([where, text]) =>
    secrets
      .map((secret) => secret.slice(0, Math.max(PART, Math.ceil(secret.length / 2))))
      .filter((part) => text.toLowerCase().includes(part.toLowerCase()))
      .map(
        (part) =>
          `${where}: …${text.slice(Math.max(0, text.toLowerCase().indexOf(part.toLowerCase()) - 60), text.toLowerCase().indexOf(part.toLowerCase()) + 60)}…`,
      ),
  );

function attack(places: readonly Place[], shapes: readonly Shape[]): void {
  let root = '';
  let folders = 0;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'leasehold-secrets-'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  for (const place of places) {
    it(place.name, async () => {
      const leaks: string[] = [];
      for (const shape of shapes) {
        const files = place.files(shape.text);
        if (files === null) continue;
        folders += 1;
        const folder = join(root, `f${folders}`);
        const shown = await shownOf(folder, files);
        leaks.push(...leaksIn(shown, shape).map((leak) => `${shape.name}: ${leak}`));
      }
      assert.deepEqual(leaks, []);
    });
  }
}

describe('no secret gets out of', () => attack(PLACES, TEXTS));
describe('no secret of a command gets out of a', () => attack(CRONTABS, COMMANDS));
describe('no text with a secret gets out of a', () => attack(CRONTAB_FIELDS, TEXTS));
