/**
 * Each rule of PostgreSQL has a test; each of those is seen failing here, on functions that lack the
 * rule. Without an edit the same tests pass: that is what their own files show.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A call that waits for ever without its rule fails its test by this. */
const TEST_MS_MAX = 8_000;

interface Control {
  readonly broken: string;
  /** Function, text, and what takes its place. */
  readonly edits: readonly (readonly [name: string, from: string, to: string])[];
  readonly file: string;
  readonly fails: string;
}

const CONTROLS: readonly Control[] = [
  {
    broken: 'the clock is read before the row is locked',
    edits: [['_acquire_any', 'run.started_at := leasehold._now();', 'run.started_at := statement_timestamp();']],
    file: 'row-locks.test.ts',
    fails: 'a lease counts from the grant, not from the start of the wait for the row (C33)',
  },
  {
    broken: 'a pause does not wait for who makes its lock',
    edits: [['pause', 'perform leasehold._wait_for_new_lock(lock_name);', '']],
    file: 'row-locks.test.ts',
    fails: 'a pause waits for the start that makes its lock, and is then in force',
  },
  {
    broken: 'an assert locks nothing',
    edits: [['assert_holder', 'for key share', '']],
    file: 'row-locks.test.ts',
    fails: 'a change of owner waits for an asserting transaction, and ends in a skip when that takes too long',
  },
  {
    broken: 'a renewal locks the row as a new owner does',
    edits: [['_row_for_holder', 'for no key update', 'for update']],
    file: 'row-locks.test.ts',
    fails: 'renewals and skips go on while a transaction asserts the holder',
  },
  {
    broken: 'a start waits for longer than its client does',
    edits: [['_wait_until', 'least(900, run.lease_ms / 10)', '900']],
    file: 'row-locks.test.ts',
    fails: 'a short lease makes the wait short, so that a contended start is told so in time',
  },
  {
    broken: 'a written transaction is not noticed',
    edits: [['_refuse_in_transaction', 'pg_current_xact_id_if_assigned() is not null', 'false']],
    file: 'transactions.test.ts',
    fails: 'an acquire inside a transaction that has written is refused, and nothing is held',
  },
  {
    broken: 'an old transaction is not noticed',
    edits: [['_refuse_in_transaction', "interval '1 second'", "interval '1 hour'"]],
    file: 'transactions.test.ts',
    fails: 'an acquire inside a transaction over 1 s old is refused, even if it has only read',
  },
  {
    broken: 'an old snapshot is not noticed',
    edits: [['_refuse_old_snapshot', 'for share', '']],
    file: 'isolation.test.ts',
    fails: 'nor one whose lock was released or freed by force',
  },
  {
    broken: 'two calls of one start don\u2019t take turns',
    edits: [
      ['_has_turn', 'pg_try_advisory_xact_lock(leasehold._start_key(run.lock, run.run_id, run.holder))', 'true'],
      ['acquire', 'pg_try_advisory_xact_lock(leasehold._start_key(lock_name, run_id, holder))', 'true'],
    ],
    file: 'same-start.test.ts',
    fails: 'the second call waits within bounds, and the row and the events are those of the first',
  },
  {
    broken: 'a new row begins its fences anew',
    edits: [['_create_lock', 'coalesce(max(r.fence), 0)', '0']],
    file: 'same-start.test.ts',
    fails: 'fences go on after the lock\u2019s row was lost, also when a bypass comes first',
  },
  {
    broken: 'months pass',
    edits: [['_interval_ms', 'extract(month from value) <> 0', 'false']],
    file: 'arguments.test.ts',
    fails: 'a lease of 1 month is refused with LH002',
  },
  {
    broken: 'the clock of a begin is read before the row is locked',
    edits: [['_begin_plain', 'at := leasehold._now();', 'at := statement_timestamp();']],
    file: 'records/row-locks.test.ts',
    fails: 'a begin that waited for the row counts the wait',
  },
  {
    broken: 'the clock of many begins is read before their rows are locked',
    edits: [['_work_at_once', 'now_at := leasehold._now();', 'now_at := statement_timestamp();']],
    file: 'records/row-locks.test.ts',
    fails: 'the same of many begins in one call',
  },
  {
    broken: 'the clock of many begins at once is not read again after their rows were locked',
    edits: [['_work_plainly', ' or clock_timestamp() not between at and at + grace', '']],
    file: 'records/row-locks.test.ts',
    fails: 'the same of many begins in one call',
  },
  {
    broken: 'a claim\u2019s lease is reckoned before its records are locked',
    edits: [['_write_claim', 'claim.claimed_at := leasehold._now();', 'claim.claimed_at := statement_timestamp();']],
    file: 'records/row-locks.test.ts',
    fails: 'a claim\u2019s lease counts from the grant, not from the start of its wait',
  },
  {
    broken: 'a claim of the next records waits for what others have locked',
    edits: [
      ['_take_queued', 'skip locked', 'nowait'],
      ['_take_next', 'skip locked', 'nowait'],
    ],
    file: 'records/row-locks.test.ts',
    fails: 'a claim of the next records passes by what others have locked, and waits for nobody',
  },
  {
    broken: 'two calls of one claim don\u2019t take turns',
    edits: [['_earlier_claim', 'pg_advisory_xact_lock(', 'pg_try_advisory_xact_lock_shared(']],
    file: 'records/row-locks.test.ts',
    fails: 'two calls of one claim take turns: the second gets what the first has (C65)',
  },
  {
    broken: 'a claim of known records waits for its turn to make others known',
    edits: [
      ['_take_turn_to_arrive', 'not has_turn and leasehold._has_unknown(settings.pool, ids, versions)', 'not has_turn'],
    ],
    file: 'records/busy-arrivals.test.ts',
    fails: 'a claim and an enqueue of known records wait for no version that is being made known',
  },
  {
    broken: 'a claim waits for each record that another transaction makes known',
    edits: [
      ['_make_known_in_pieces', 'coalesce(clock_timestamp() < until_at, true)', 'true'],
      ['_take_offered', 'may_arrive and coalesce(clock_timestamp() < until_at, true)', 'may_arrive'],
    ],
    file: 'records/busy-arrivals.test.ts',
    fails:
      'a claim of 3,000 ids that it makes known ends in time, and says what was not tried, in a pool without versions',
  },
  {
    broken: 'a snapshot that shows no version of another is taken for the whole truth',
    edits: [['_take_turn_to_arrive', "in ('repeatable read', 'serializable')", "in ('')"]],
    file: 'records/unseen-versions.test.ts',
    fails:
      'a claim that waited for its turn while another version arrived is repeated, and then waits for that one (G4)',
  },
  {
    broken: 'two versions that arrive at once don\u2019t take turns',
    edits: [['_wait_for_turn', 'pg_advisory_xact_lock(', 'pg_try_advisory_xact_lock(']],
    file: 'records/row-locks.test.ts',
    fails: 'two versions that arrive at once see each other',
  },
  {
    broken: 'a sweep waits for the versions of an id',
    edits: [['_settle_tokens', 'continue when not leasehold._locks_versions(r);', '']],
    file: 'records/version-locks.test.ts',
    fails: 'a sweep passes by what it can not lock in order',
  },
  {
    broken: 'a claim that settles waits for the versions of an id',
    edits: [
      ['_settle_tokens', 'continue when not leasehold._locks_versions(r);', ''],
      ['_settle_before', 'continue when not leasehold._locks_versions(r);', ''],
    ],
    file: 'records/version-locks.test.ts',
    fails: 'a claim that settles passes by what it can not lock in order',
  },
  {
    broken: 'a return locks no other version',
    edits: [['return_unworked', "k.state = 'claimed' and k.has_newer) then", "k.state = 'claimed' and false) then"]],
    file: 'records/version-locks.test.ts',
    fails: 'a return locks all versions of its ids in their order',
  },
  {
    broken: 'a sweep looks through one page of a pool',
    edits: [['_settle_strays', 'returning is_brief or p.strays_from_id is null into', 'returning true into']],
    file: 'records/hand-written.test.ts',
    fails: 'one sweep finds all of them in a large pool, however lately another one has looked',
  },
  {
    broken: 'a sweep comes back for what another transaction has locked',
    edits: [['_settle_strays', ' or passed_by = looked', '']],
    file: 'records/version-locks.test.ts',
    fails: 'a sweep comes to its end where it can lock none of what no claim knows, and leaves that to the next',
  },
  {
    broken: 'an extension is judged by the clock of its start',
    edits: [['extend', 'now_at := leasehold._now();', 'now_at := statement_timestamp();']],
    file: 'records/row-locks.test.ts',
    fails: 'an extension after the lease is over is lost, also where it waited for the row until then',
  },
  {
    broken: 'the queue has no index',
    edits: [['_pool_row', 'begin', "begin\n  execute 'drop index if exists leasehold.records_queue';"]],
    file: 'records/plans.test.ts',
    fails: 'no call reads a table from end to end, or a whole pool, though its plan was made when both were short',
  },
  {
    broken: 'an index hangs on the state of a record',
    edits: [
      ['_pool_row', 'begin', "begin\n  execute 'create index if not exists by_state on leasehold.records (state)';"],
    ],
    file: 'records/plans.test.ts',
    fails: 'a begin and an owner\u2019s done write no index',
  },
];

async function failedTests({ edits, file, fails }: Control): Promise<string> {
  const { NODE_TEST_CONTEXT: _unset, ...env } = process.env;
  const pattern = `--test-name-pattern=${fails.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}`;
  const child = spawn(
    process.execPath,
    [
      '--test-reporter=tap',
      `--test-timeout=${TEST_MS_MAX}`,
      pattern,
      fileURLToPath(new URL(`../stores/postgres/${file}`, import.meta.url)),
    ],
    {
      env: { ...env, LEASEHOLD_FUNCTION_EDITS: JSON.stringify(edits) },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 60_000,
    },
  );
  return await text(child.stdout);
}

describe('a rule taken out of the SQL functions', { concurrency: 2 }, () => {
  for (const control of CONTROLS) {
    it(`${control.broken}: "${control.fails}" is seen failing`, async () => {
      const output = await failedTests(control);
      assert.ok(output.includes(`not ok`) && output.includes(`- ${control.fails}`), output);
      assert.ok(!output.includes('does not have:'), `an edit was not made\n${output}`);
    });
  }
});
