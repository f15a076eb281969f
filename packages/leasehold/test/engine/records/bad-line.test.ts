/**
 * Ten workers over a line that refuses, hangs, loses answers and delays them at random: what each promise says is what the
 * store has, nothing is sent for a record whose begin was not accepted, and nothing is left over. Clock: fake. A failing
 * seed is named; LEASEHOLD_LINE_SEED brings it back.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClaimedRecord } from '../../../src/engine/records/claim-api.ts';
import { answerLost, answerTakes, clear, hangs, type Line, refused, requestTakes } from '../scripted-store.ts';
import { openStage, type Stage } from '../stage.ts';

const RECORDS = 60;
const WORKERS = 10;
const MINUTES_MAX = 15;

const LINES: readonly Line[] = [clear, clear, refused, answerLost, hangs, answerTakes(700), requestTakes(700)];

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

interface Told {
  readonly sent: Map<string, number>;
  readonly said: Map<string, string>;
}

async function work(records: readonly ClaimedRecord[], stage: Stage, random: () => number): Promise<Told> {
  const sent = new Map<string, number>();
  const said = new Map<string, string>();
  const queue = records.values();
  const worker = async (): Promise<void> => {
    for (const record of queue) {
      const begun = await record.begin();
      if (begun.outcome !== 'accepted') {
        said.set(record.id, 'not begun');
        continue;
      }
      sent.set(record.id, (sent.get(record.id) ?? 0) + 1);
      await stage.clock.sleep(Math.ceil(random() * 300));
      const isDone = random() < 0.7;
      const answer = isDone ? await record.done(`ref-${record.id}`) : await record.fail('no', { permanent: true });
      said.set(record.id, `${answer.outcome} ${answer.state}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return { sent, said };
}

async function run(seed: number): Promise<void> {
  const random = seeded(seed);
  await using stage = await openStage();
  const pool = stage.leasehold.pool('mails');
  const ids = Array.from({ length: RECORDS }, (_, n) => `r${n}`);
  const claim = await pool.claim({ ids, limit: RECORDS, leaseMs: 60_000 });
  stage.store.always(
    (pass, call, clock) => (LINES[Math.floor(random() * LINES.length)] ?? clear)(pass, call, clock),
    ['work'],
  );
  const end = { isReached: false };
  const working = work(claim.owned, stage, random).finally(() => {
    end.isReached = true;
  });
  for (let second = 0; second < MINUTES_MAX * 60 && !end.isReached; second += 1) await stage.advance(1_000);
  const { sent, said } = await working;
  for (const row of await pool.records()) {
    const word = `seed ${seed}, record ${row.id}`;
    assert.equal(said.get(row.id), `accepted ${row.state}`, word);
    assert.equal(sent.get(row.id), 1, word);
    assert.equal(row.attempt, 1, word);
  }
  assert.equal(said.size, RECORDS);
  assert.deepEqual(await stage.leasehold.events({ pool: 'mails' }), [], `seed ${seed}`);
}

describe('over a line that fails at random', () => {
  const only = process.env['LEASEHOLD_LINE_SEED'];
  const seeds = only === undefined ? Array.from({ length: 12 }, (_, n) => n + 1) : [Number(only)];
  for (const seed of seeds)
    it(`each record is sent once, and each promise tells the truth (seed ${seed})`, () => run(seed));
});
