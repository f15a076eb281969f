/** Plays a sequence on a store and on the model side by side, and holds the store to the guarantees without the model. */
import assert from 'node:assert/strict';
import type { LeaseholdEvent } from '../../../src/domain/answers.ts';
import type { RecordRow } from '../../../src/domain/records/record.ts';
import type { Subject } from '../subject.ts';
import { type Both, NOTHING_TO_DO, type Table } from './calls/both.ts';
import { callClaim, callEnqueue } from './calls/claim-call.ts';
import { callAsk, callChange, callDecide, callEnded, callLookup, callSettle } from './calls/sweep-call.ts';
import { callExtend, callReturn, callWork } from './calls/work-call.ts';
import type { RecordCommand } from './commands.ts';
import { RecordInvariants } from './record-invariants.ts';
import { nameOf, Told } from './model/model-rows.ts';
import { PoolModel } from './model/pool-model.ts';

const ROWS_MAX = 1_000;

/** What holds the store to its word: the model at each step, the guarantees, or both. */
export type RecordJudge = 'model' | 'invariants' | 'both';

export class RecordPlay {
  readonly #table: Table;
  readonly #judge: RecordJudge;
  readonly #seen: Set<string>;
  readonly #invariants = new RecordInvariants();
  #lastEvent = 0;

  constructor(subject: Subject, judge: RecordJudge, seen: Set<string>) {
    const pool = `pool-${subject.locks[0] ?? ''}`;
    this.#table = { subject, pool, model: new PoolModel(), asks: [], looked: [] };
    this.#judge = judge;
    this.#seen = seen;
  }

  async step(command: RecordCommand): Promise<void> {
    const { model } = this.#table;
    model.told = new Told();
    const both = await this.#call(command);
    for (const call of both.call.split(', ')) this.#seen.add(call);
    const rows = await this.#rows();
    const events = await this.#newEvents();
    for (const { kind, data } of events) {
      this.#seen.add(`${kind} ${textOf(data, 'action') || textOf(data, 'reason')}`.trim());
    }
    if (this.#judge !== 'invariants') {
      assert.deepEqual(both.actual, both.expected, both.call);
      assert.deepEqual(
        rows.map((row) => this.#rowOf(row)),
        this.#expectedRows(),
        `records after ${both.call}`,
      );
      this.#compareEvents(events, both.call);
    }
    if (this.#judge !== 'model') this.#invariants.check({ command, both, rows, events });
  }

  async end(): Promise<void> {
    const { subject, pool } = this.#table;
    const [status] = await subject.store.pools({ pool, limit: 1 });
    const rows = await this.#rows();
    for (const state of ['queued', 'claimed', 'done', 'failed', 'review', 'cancelled'] as const) {
      const count = rows.filter((row) => row.state === state).length;
      assert.equal(status?.[state] ?? 0, count, `how many are ${state}`);
    }
  }

  async #call(command: RecordCommand): Promise<Both> {
    const table = this.#table;
    switch (command.do) {
      case 'enqueue':
        return await callEnqueue(table, command);
      case 'claim':
        return await callClaim(table, command);
      case 'work':
        return command.verdicts.length + command.begins.length === 0 ? NOTHING_TO_DO : await callWork(table, command);
      case 'extend':
        return await callExtend(table, command);
      case 'return':
        return await callReturn(table, command);
      case 'settle':
        return await callSettle(table);
      case 'ask':
        return await callAsk(table, command.everyMs);
      case 'lookup':
        return await callLookup(table, command);
      case 'ended':
        return await callEnded(table, command.claim);
      case 'decide':
        return await callDecide(table, command);
      case 'set':
      case 'pause':
        return await callChange(table, command);
      case 'pass':
        await table.subject.pass(command.ms);
        table.model.now += command.ms;
        return { call: 'pass', actual: null, expected: null };
    }
  }

  async #rows(): Promise<RecordRow[]> {
    const { subject, pool } = this.#table;
    return await subject.store.records({ pool, state: null, id: null, after: null, limit: ROWS_MAX });
  }

  async #newEvents(): Promise<LeaseholdEvent[]> {
    const { subject, pool } = this.#table;
    const events = await subject.store.events({ lock: null, pool, kind: null, limit: ROWS_MAX });
    const fresh = events.filter(({ eventId }) => eventId > this.#lastEvent);
    this.#lastEvent = events[0]?.eventId ?? this.#lastEvent;
    return fresh;
  }

  /** A row as both sides have it. */
  #rowOf(row: RecordRow): string {
    const at = (instant: Date | null): number | null =>
      instant === null ? null : instant.getTime() - this.#table.subject.startMs;
    const owner = row.state === 'claimed' ? `${row.claimedBy} until ${at(row.leaseUntil)}` : '';
    const evidence = `${row.evidenceRef} at ${at(row.evidenceAt)}, error ${row.error !== null}`;
    return `${nameOf(row)} ${row.state} ${owner} attempt ${row.attempt} ref ${row.providerRef}, other ${evidence}, due ${row.state === 'queued' ? this.#due(at(row.notBefore)) : null}`;
  }

  #expectedRows(): string[] {
    const { model } = this.#table;
    return model.records
      .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
      .map((record) => {
        const { claim } = record;
        const owner = record.state === 'claimed' ? `${claim?.holder} until ${claim?.until}` : '';
        const evidence = `${record.evidenceRef} at ${record.evidenceAt}, error ${record.hasError}`;
        return `${nameOf(record)} ${record.state} ${owner} attempt ${record.attempt} ref ${record.ref}, other ${evidence}, due ${record.state === 'queued' ? this.#due(record.notBefore) : null}`;
      });
  }

  /** An instant that has passed defers nothing, whether it is still stored or not. */
  #due(at: number | null): number | null {
    return at === null || at <= this.#table.model.now ? null : at;
  }

  #compareEvents(events: readonly LeaseholdEvent[], call: string): void {
    const { told } = this.#table.model;
    const must = [...told.expected];
    const odd: string[] = [];
    for (const name of events.map(eventName)) {
      if (name === null) continue;
      const index = must.indexOf(name);
      if (index < 0) odd.push(name);
      else must.splice(index, 1);
    }
    assert.deepEqual({ odd, missing: must }, { odd: [], missing: [] }, `events of ${call}`);
  }
}

const key = ({ id, version }: { id: string; version: string }): string => `${id}\0${version}`;

function textOf(data: LeaseholdEvent['data'], field: string): string {
  const value = data?.[field];
  return typeof value === 'string' ? value : '';
}

/** An event as the model tells it; null for one that it says nothing of. */
function eventName({ kind, recordId, data }: LeaseholdEvent): string | null {
  const name = nameOf({ id: recordId ?? '', version: textOf(data, 'version') });
  if (kind === 'record.requeued') return `${kind} ${name} ${textOf(data, 'reason')}`;
  if (kind === 'record.review') return `${kind} ${name} ${textOf(data, 'action') || textOf(data, 'reason')}`;
  if (kind === 'verdict.refused') return `${kind} ${recordId} ${textOf(data, 'verdict')} ${textOf(data, 'reason')}`;
  return kind === 'verdict.evidence' || kind === 'effect.doubled' ? `${kind} ${name}` : null;
}
