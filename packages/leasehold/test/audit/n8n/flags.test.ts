/** A row that says whether a run is under way is a flag and no record, and a lock of a connection is none of a run. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { code, MAIL, MARK_ROW, READ_ROWS, SHAPE } from './parts.ts';

const sql = (query: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query, ...more },
  credentials: { postgres: { id: '1', name: 'shop' } },
});
const IF: Drawn = { type: 'if', typeVersion: 2.2 };
const REST = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };

/** The flag is read, asked, set; then the story; then it is set back. */
const flagged = (get: Drawn, set: Drawn, reset: Drawn, free: Drawn = IF): Drawing => ({
  nodes: { ...REST, Get: get, Free: free, Set: set, Reset: reset },
  flow: 'Clock > Get > Free > Set > Read > Mail > Mark > Reset',
});
const rulesOf = (drawing: Drawing): string[] =>
  auditOf(drawing)
    .findings.map(({ rule, severity }) => `${rule} ${severity}`)
    .toSorted();
const FLAG = ['guard.fails-open warning', 'window.effect-before-mark critical', 'window.read-to-write warning'];

const GET = sql('select running from flags where id = 1');
const SET = sql('update flags set running = true where id = 1');
const RESET = sql('update flags set running = false where id = 1');
const form = (operation: string, parameters: Record<string, unknown>): Drawn => ({
  type: 'dataTable',
  typeVersion: 1,
  parameters: { operation, dataTableId: { value: 'job_locks', cachedResultName: 'job locks' }, ...parameters },
});

describe('a row of a table that is taken for a lock', () => {
  it('is a flag that two runs find free, and is told so and not as records', () => {
    const drawing = flagged(GET, SET, RESET);
    assert.deepEqual(rulesOf(drawing), FLAG);
    const [finding] = findingsOf(drawing, 'guard.fails-open');
    assert.match(finding?.message ?? '', /"Get" reads a flag and "Set" sets it later.*has no expiry/);
    assert.deepEqual(
      auditOf(drawing).paths.map(({ read, firstWrite }) => [read, firstWrite]),
      [['Read', 'Mark']],
    );
  });

  it('is one however it is written', () => {
    const job = "where job = '{{ $workflow.id }}'";
    const kinds: readonly Drawing[] = [
      flagged(
        sql("SELECT state FROM public.job_state WHERE job = 'mails' LIMIT 1;"),
        sql("update job_state set state='running', since=now() where job='mails'"),
        sql("update job_state set state='idle' where job='mails'"),
      ),
      flagged(
        sql(`=select * from jobs ${job}`),
        sql(`=update jobs set busy = 1 ${job}`),
        sql(`=update jobs set busy = 0 ${job}`),
      ),
      flagged(sql('select running from flags where id = 1 and running = false'), SET, RESET, SHAPE),
      flagged(
        sql('select running from flags where id = $1', { options: { queryReplacement: '7' } }),
        sql('update flags set running = true where id = $1', { options: { queryReplacement: '7' } }),
        RESET,
      ),
      flagged(
        form('get', { filters: { conditions: [{ keyName: 'name', keyValue: 'mails' }] } }),
        form('update', {
          filters: { conditions: [{ keyName: 'name', keyValue: 'mails' }] },
          columns: { value: { busy: true } },
        }),
        form('update', {
          filters: { conditions: [{ keyName: 'name', keyValue: 'mails' }] },
          columns: { value: { busy: false } },
        }),
      ),
      flagged(
        sql("select 1 from job_lock where name = 'a'"),
        sql("insert into job_lock (name) values ('a')"),
        sql("delete from job_lock where name = 'a'"),
      ),
      flagged(GET, SET, RESET, code('if (items[0].json.running) return []; return items;')),
    ];
    for (const drawing of kinds) assert.deepEqual(rulesOf(drawing), FLAG, JSON.stringify(drawing.nodes['Get']));
  });

  it('has an expiry where its age is looked at', () => {
    const aged = sql("select running from flags where id = 1 and since > now() - interval '1 hour'");
    const [finding] = findingsOf(flagged(aged, SET, RESET), 'guard.fails-open');
    assert.match(finding?.message ?? '', /both find it free\.$/);
  });

  it('is none where the row is a record, a setting, or an instant to read on from', () => {
    const drawings: readonly Drawing[] = [
      flagged(
        sql("select * from orders where state = 'new' limit 5"),
        sql("=update orders set state = 'taken' where id = {{ $json.id }}"),
        RESET,
      ),
      flagged(
        sql("select * from orders where state = 'new' limit 5"),
        sql("update orders set state = 'taken' where state = 'new'"),
        RESET,
      ),
      flagged(
        sql("select last_id from cursors where name = 'orders'"),
        sql("=update cursors set last_id = {{ $json.id }} where name = 'orders'"),
        RESET,
      ),
      flagged(
        sql("select * from settings where name = 'mails'"),
        sql("update settings set used = now() where name = 'mails'"),
        SHAPE,
      ),
      flagged(GET, sql('update flags set running = true where id = 2'), SHAPE),
      flagged(
        form('get', { filters: { conditions: [{ keyName: 'locked', keyValue: 'false' }] } }),
        form('update', {
          filters: { conditions: [{ keyName: 'id', keyValue: '={{ $json.id }}' }] },
          columns: { value: { locked: true } },
        }),
        SHAPE,
      ),
      // Nothing asks what was read.
      flagged(GET, SET, RESET, SHAPE),
    ];
    for (const drawing of drawings)
      assert.deepEqual(findingsOf(drawing, 'guard.fails-open'), [], JSON.stringify(drawing.nodes['Get']));
  });

  it('is no lock of whoever works at once: guard.missing is said where it is not asked', () => {
    assert.ok(rulesOf(flagged(GET, SET, RESET, SHAPE)).some((each) => each.startsWith('guard.missing')));
  });
});

describe('a lock of a connection', () => {
  const locked = (query: string): Drawing => ({
    nodes: { ...REST, Lock: sql(query), Got: IF },
    flow: 'Clock > Lock > Got > Read > Mail > Mark',
  });

  it('is told, and lowers nothing: PostgreSQL, MySQL and SQL Server', () => {
    for (const query of [
      'select pg_try_advisory_lock(42)',
      "select pg_advisory_lock(hashtext('jobs')) as got",
      "select get_lock('jobs', 0) as got",
      "exec sp_getapplock @Resource = 'jobs', @LockMode = 'Exclusive', @LockOwner = 'Session'",
    ])
      assert.deepEqual(rulesOf(locked(query)), FLAG, query);
  });

  it('of a transaction keeps nobody out', () => {
    for (const query of ['select pg_try_advisory_xact_lock(42)', "exec sp_getapplock @Resource = 'jobs'"])
      assert.equal(rulesOf(locked(query))[0], 'guard.fails-open critical', query);
  });

  it('inside the statement that does the work is in its place', () => {
    const query =
      "with got as (select pg_try_advisory_xact_lock(42) as ok) update orders set state = 'taken' from got where ok and state = 'new' returning *";
    assert.deepEqual(findingsOf(locked(query), 'guard.fails-open'), []);
  });

  it('that is given back is not one that is taken', () => {
    assert.deepEqual(findingsOf(locked('select pg_advisory_unlock(42)'), 'guard.fails-open'), []);
  });
});

it('a value of Redis that nothing sets is no guard, and hides no guard that is missing', () => {
  const drawing: Drawing = {
    nodes: { ...REST, Get: { type: 'redis', parameters: { operation: 'get', key: 'settings' } } },
    flow: 'Clock > Get > Read > Mail > Mark',
  };
  assert.ok(rulesOf(drawing).includes('guard.missing warning'));
});
