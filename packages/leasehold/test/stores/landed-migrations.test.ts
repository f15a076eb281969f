/**
 * A version of the schema that stores have is never edited: whoever has it would be at that version for ever without
 * what the edit brought. What it lacks comes with the next version.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadMigrations } from '../../src/stores/postgres/install-script.ts';

const LANDED = {
  postgres: {
    1: 'f9cfb5729e98fe6b2c6eeb77a571eb13273bb58a4422412f36dcae45fe42d16d',
    2: '0493f1534c15d66cece565723c7ca416dc539cb6a563ea71e68d9bad53bc8458',
  },
  sqlite: {
    1: 'f9cdbe99dd061e91e132d8561a6e38df700ba50d86b3e010ba4762747a5c91b1',
    2: '45cb428b29933f2f31b0d6e1c9b885ef0767936c0d17e6b4afc6dd92e8a4757e',
  },
};

const FILES = { 1: '0001-lock.sql', 2: '0002-records.sql' };

for (const version of [1, 2] as const) {
  test(`version ${version} of the schema is what stores have, on PostgreSQL`, () => {
    const found = loadMigrations().find((migration) => migration.version === version);
    assert.equal(digest(found?.statements ?? ''), LANDED.postgres[version]);
  });

  test(`version ${version} of the schema is what stores have, in SQLite`, () => {
    const file = new URL(`../../src/stores/sqlite/migrations/${FILES[version]}`, import.meta.url);
    assert.equal(digest(readFileSync(file, 'utf8')), LANDED.sqlite[version]);
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
