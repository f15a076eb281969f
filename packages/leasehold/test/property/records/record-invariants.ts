/** What the guarantees say of any history of records, whatever a model of them says. */
import assert from 'node:assert/strict';
import type { LeaseholdEvent } from '../../../src/domain/answers.ts';
import type { RecordRow } from '../../../src/domain/records/record.ts';
import type { Both } from './calls/both.ts';
import type { RecordCommand } from './commands.ts';
import { nameOf } from './model/model-rows.ts';

export interface RecordStep {
  readonly command: RecordCommand;
  readonly both: Both;
  readonly rows: readonly RecordRow[];
  /** Newest first. */
  readonly events: readonly LeaseholdEvent[];
}

const FINAL = new Set(['done', 'failed', 'cancelled', 'review']);

export class RecordInvariants {
  #before = new Map<string, RecordRow>();
  /** Of each record the tokens that it was handed out to, in their order. */
  readonly #tokens = new Map<string, string[]>();

  check(step: RecordStep): void {
    const after = new Map(step.rows.map((row) => [nameOf(row), row]));
    for (const [name, was] of this.#before) {
      const row = after.get(name);
      assert.ok(row !== undefined, `${name} is still known`);
      assert.equal(row.effectKey, was.effectKey, `the effectKey of ${name} is fixed`);
      this.#checkChange(step, name, was, row);
    }
    this.#checkOwners(step, after);
    this.#checkWords(step.both);
    this.#before = after;
  }

  #checkChange({ command, events }: RecordStep, name: string, was: RecordRow, row: RecordRow): void {
    if (was.state === 'done') assert.equal(row.state, 'done', `${name} is done and stays so (G4)`);
    if (was.state === 'done' && was.providerRef !== null) assert.equal(row.providerRef, was.providerRef, name);
    const requeues = events.filter(({ kind, recordId }) => kind === 'record.requeued' && recordId === row.id);
    const isBack = was.state !== 'queued' && row.state === 'queued';
    // A claim may settle and take it in one call: then its attempt or its owner tells.
    const isTakenAnew = was.state === 'claimed' && row.state === 'claimed' && was.claimedBy !== row.claimedBy;
    if (isBack || isTakenAnew) assert.ok(requeues.length > 0, `${name} went back, and no event tells it (G2)`);
    if (row.state === 'done' && was.state !== 'done') {
      const hasEvidence = command.do === 'work' || command.do === 'lookup' || command.do === 'decide';
      assert.ok(hasEvidence, `${name} is done, and nobody said so: ${command.do}`);
    }
    if (row.state === 'review' && was.state !== 'review') {
      const told = events.some(({ kind, recordId }) => kind === 'record.review' && recordId === row.id);
      assert.ok(told, `${name} is in review, and no event tells it (G2)`);
    }
    if (was.attempt > row.attempt) assert.equal(command.do, 'return', `an attempt of ${name} is forgotten`);
    if (was.state === 'review' && !FINAL.has(row.state)) {
      assert.ok(command.do === 'decide' || command.do === 'lookup', `${name} left review by ${command.do}`);
    }
  }

  /** No two versions of an id are worked at once, and none is handed out that was done or is another's. */
  #checkOwners({ command, both, rows }: RecordStep, after: ReadonlyMap<string, RecordRow>): void {
    const worked = rows.filter((row) => row.state === 'claimed').map((row) => row.id);
    assert.equal(new Set(worked).size, worked.length, `two versions of an id are claimed: ${worked.join()} (G4)`);
    if (command.do !== 'claim') return;
    if (both.given === undefined) return;
    const { token, holder, names } = both.given;
    for (const name of names) {
      assert.equal(after.get(name)?.state, 'claimed', `${name} was handed out`);
      assert.notEqual(this.#before.get(name)?.state, 'done', `${name} was done, and handed out again (G4)`);
    }
    // Also what the claim has and was not given, since its provider must be asked first.
    for (const row of rows) {
      if (row.state !== 'claimed' || row.claimedBy !== holder) continue;
      const tokens = this.#tokens.get(nameOf(row)) ?? [];
      if (tokens.at(-1) !== token) this.#tokens.set(nameOf(row), [...tokens, token]);
    }
  }

  /** A word counts only from one that the record was handed out to, and a begin only from the last of them (G3). */
  #checkWords({ said = [] }: Both): void {
    for (const { what, token, id, version, outcome } of said) {
      if (outcome === 'refused' || version === null) continue;
      const name = nameOf({ id, version });
      const tokens = this.#tokens.get(name) ?? [];
      assert.ok(tokens.includes(token), `a ${what} of ${name} by one that never had it`);
      if (what === 'begin') assert.equal(tokens.at(-1), token, `a begin of ${name} by one that has lost it`);
    }
  }
}
