/**
 * As somebody would who looks for secrets in a report: each shape of a secret in each field that any reader takes in,
 * and none of it in the terminal, the JSON or the page.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CRONTAB_FIELDS, CRONTABS } from './crontab-places.ts';
import { type Files, type Place, PLACES } from './places.ts';
import { COMMANDS, type Shape, TEXTS } from './shapes.ts';
import { leaksIn, shownOf } from './shown.ts';

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

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
        write(folder, files);
        leaks.push(...leaksIn(await shownOf(folder), shape));
      }
      assert.deepEqual(leaks, []);
    });
  }
}

describe('no secret gets out of', () => attack(PLACES, TEXTS));
describe('no secret of a command gets out of a', () => attack(CRONTABS, COMMANDS));
describe('no text with a secret gets out of a', () => attack(CRONTAB_FIELDS, TEXTS));
