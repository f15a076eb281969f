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
  postgres: { 1: 'f9cfb5729e98fe6b2c6eeb77a571eb13273bb58a4422412f36dcae45fe42d16d' },
  sqlite: { 1: 'f9cdbe99dd061e91e132d8561a6e38df700ba50d86b3e010ba4762747a5c91b1' },
};

test('version 1 of the schema is what stores have, on PostgreSQL', () => {
  const [first] = loadMigrations();
  assert.equal(digest(first?.statements ?? ''), LANDED.postgres[1]);
});

test('version 1 of the schema is what stores have, in SQLite', () => {
  const file = new URL('../../src/stores/sqlite/migrations/0001-lock.sql', import.meta.url);
  assert.equal(digest(readFileSync(file, 'utf8')), LANDED.sqlite[1]);
});

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
