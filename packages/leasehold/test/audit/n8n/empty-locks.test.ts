/** Locks that are asked for, and keep nobody out all the same: by their name, their lease, or by being given back too early. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { code, GUARD, http, MAIL, MARK_ROW, PROCEED, READ_ROWS, WEBHOOK } from './parts.ts';

const sql = (query: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query, ...more },
});
const given = (queryReplacement: string): Record<string, unknown> => ({ options: { queryReplacement } });
const acquire = (name: string, lease = '5 min', more = ''): Drawn =>
  sql(`select * from leasehold.acquire('${name}', '${lease}', '{{ $execution.id }}'${more}) where proceed`);
const RELEASE = sql("select * from leasehold.release('a', $1, 'success')");
const wait = (amount: number): Drawn => ({ type: 'wait', typeVersion: 1.1, parameters: { amount, unit: 'minutes' } });
const SLACK: Drawn = { type: 'slack', typeVersion: 2.2 };
const REST = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW, Free: RELEASE };

const rulesOf = (drawing: Drawing): string[] =>
  auditOf(drawing)
    .findings.map(({ rule, severity }) => `${rule} ${severity}`)
    .toSorted();
const story = (nodes: Readonly<Record<string, Drawn>>, flow: string): Drawing => ({
  nodes: { ...REST, ...nodes },
  flow: `Clock > ${flow}`,
});
const said = (drawing: Drawing): string =>
  findingsOf(drawing, 'guard.fails-open')
    .map(({ severity, message }) => `${severity} ${message}`)
    .join('\n');
/** Behind `lock`: read, mail, mark. */
const behind = (lock: Drawn): Drawing => story({ Lock: lock }, 'Lock > Read > Mail > Mark');

const OPEN = ['guard.fails-open critical', 'window.effect-before-mark critical', 'window.read-to-write warning'];
const LOCKED = ['window.effect-before-mark warning'];

describe('the name of a lock', () => {
  const OWN: readonly (readonly [name: string, lock: Drawn])[] = [
    ['the execution', acquire('a-{{$execution.id}}')],
    ['the execution by another way', acquire("a-{{ $execution['id'] }}")],
    ['the time', acquire('a-{{ $now }}')],
    ['the time in milliseconds', acquire('a-{{ Date.now() }}')],
    ['chance', acquire('a-{{ Math.random() }}')],
    ['the hour, of starts an hour apart', acquire("a-{{ $now.toFormat('yyyy-MM-dd-HH') }}")],
    ['the hour as a number', acquire('a-{{ Math.floor(Date.now() / (60*60*1000)) }}')],
    ['the hour, cut out', acquire('a-{{ $now.toISO().slice(0, 13) }}')],
    ['what a clock hands on', acquire('a-{{ $json.timestamp }}')],
    [
      'a parameter',
      sql(
        'select * from leasehold.acquire($1, $2, $3) where proceed',
        given("={{ ['a-' + $execution.id, '5 min', 'me'] }}"),
      ),
    ],
    [
      'a parameter in a text',
      sql("select * from leasehold.acquire('a-' || $1, '5 min', 'me') where proceed", given('={{ $execution.id }}')),
    ],
    [
      'chance of the database',
      sql("select * from leasehold.acquire('a-' || gen_random_uuid(), '5 min', 'me') where proceed"),
    ],
    [
      'an argument by name',
      sql(
        "select * from leasehold.acquire(lease => '5 min', holder => 'me', lock_name => 'a-{{ $execution.id }}') where proceed",
      ),
    ],
  ];
  for (const [name, lock] of OWN)
    it(`that is another one at each start (${name}) locks nobody out`, () => {
      assert.deepEqual(rulesOf(behind(lock)), OPEN);
      assert.match(
        said(behind(lock)),
        /^critical The name of the lock that "Lock" takes has .* in it, which is another one at each start/,
      );
    });

  it('in an address of HTTP is read alike', () => {
    for (const url of [
      '=https://locks.test/v1/locks/a-{{ $execution.id }}/acquire',
      "={{ $env.LOCKS + '/v1/locks/a-' + $execution.id + '/acquire' }}",
    ]) {
      const drawing = story({ Lock: http('POST', url), Got: PROCEED }, 'Lock > Got > Read > Mail > Mark');
      assert.deepEqual(rulesOf(drawing), OPEN, url);
    }
  });

  const SAME: readonly (readonly [name: string, lock: Drawn])[] = [
    ['a constant', acquire('a')],
    ['the workflow', acquire('a-{{ $workflow.id }}')],
    ['a setting', acquire('a-{{ $env.NAME }}')],
    ['the day, of starts an hour apart', acquire("a-{{ $now.toFormat('yyyy-MM-dd') }}")],
    [
      'the day, by the database',
      sql("select * from leasehold.acquire('a-' || to_char(now(), 'YYYYMMDD'), '5 min', 'me') where proceed"),
    ],
    ['a record', acquire('a-{{ $json.id }}')],
    ['an item, where there is one', acquire('a-{{ $itemIndex }}')],
    ['a pass, where there is no loop', acquire('a-{{ $runIndex }}')],
    [
      'a constant, and a holder of each run',
      sql(
        "select * from leasehold.acquire('a', '5 min', $1::text, run_id => $1::text) where proceed",
        given('={{ [$execution.id] }}'),
      ),
    ],
    [
      'a constant, and the time beside it',
      sql("select *, now() from leasehold.acquire('a', '5 min', '{{ $now }}') where proceed"),
    ],
  ];
  for (const [name, lock] of SAME)
    it(`that stays (${name}) keeps a second run out`, () => assert.deepEqual(rulesOf(behind(lock)), LOCKED));

  it('that counts the items of a read, or the passes of a loop, lets through who has more of them', () => {
    const items = story({ Lock: acquire('a-{{ $itemIndex }}') }, 'Read > Lock > Mail > Mark');
    assert.match(said(items), /^critical .*\$itemIndex.* counts the items of its own run/);
    const passes: Drawing = {
      nodes: { ...REST, Loop: { type: 'splitInBatches', typeVersion: 3 }, Lock: acquire('a-{{ $runIndex }}') },
      flow: 'Clock > Read > Loop; Loop.1 > Lock > Mail > Mark > Loop',
    };
    assert.match(said(passes), /^critical .*\$runIndex.* counts the passes of its own run/);
  });
});

describe('a start that is the same in each run', () => {
  it('is taken for a repeat, and gets the lock of the first', () => {
    for (const more of [", run_id => 'n8n'", ", run_id => '{{ $workflow.id }}'", ', run_id => $1']) {
      const lock = sql(
        `select * from leasehold.acquire('a', '5 min', 'n8n'${more}) where proceed`,
        given("={{ ['n8n'] }}"),
      );
      assert.deepEqual(rulesOf(behind(lock)), OPEN, more);
      assert.match(said(behind(lock)), /same holder and the same run id in each run/);
    }
    const byHttp = http('POST', 'https://locks.test/v1/locks/a/acquire', {
      jsonBody: '{"holder":"n8n","runId":"n8n","lease":"5m"}',
    });
    assert.deepEqual(rulesOf(story({ Lock: byHttp, Got: PROCEED }, 'Lock > Got > Read > Mail > Mark')), OPEN);
  });

  it('is none where the holder alone is the same', () => {
    assert.deepEqual(
      rulesOf(behind(sql("select * from leasehold.acquire('a', '5 min', 'n8n') where proceed"))),
      LOCKED,
    );
    const own = sql(
      "select * from leasehold.acquire('a', '5 min', 'n8n', run_id => '{{ $execution.id }}') where proceed",
    );
    assert.deepEqual(rulesOf(behind(own)), LOCKED);
  });

  it('that passes the lock by holds nothing', () => {
    assert.match(
      said(behind(acquire('a', '5 min', ", bypass_reason => 'busy'"))),
      /^critical "Lock" gives a reason to pass the lock by/,
    );
    assert.deepEqual(rulesOf(behind(acquire('a', '5 min', ', bypass_reason => null'))), LOCKED);
  });
});

describe('a lease', () => {
  const waits = (lease: string, flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing =>
    story({ Lock: acquire('a', lease), Wait: wait(10), Again: wait(10), ...nodes }, flow);

  it('that is over while the run waits for its work lets the next one in', () => {
    const short = waits('5 seconds', 'Lock > Wait > Read > Mail > Mark');
    assert.deepEqual(rulesOf(short), OPEN);
    assert.match(said(short), /is over after 5s, and "Wait" waits 10m before the work is done/);
    assert.deepEqual(rulesOf(waits('15 min', 'Lock > Wait > Read > Again > Mail > Mark')), OPEN);
    assert.deepEqual(rulesOf(waits('00:10:00', 'Lock > Read > Mail > Wait > Mark')), [
      'guard.fails-open critical',
      'window.effect-before-mark critical',
      'window.read-to-write warning',
    ]);
  });

  it('that spans the waits, or is renewed on the way, holds', () => {
    assert.deepEqual(rulesOf(waits('25 min', 'Lock > Wait > Read > Again > Mail > Mark')), LOCKED);
    const Touch = sql("select * from leasehold.renew('a', $1, lease => '1 hour')");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Touch > Wait > Read > Mail > Mark', { Touch })), LOCKED);
    const Plain = sql("select * from leasehold.renew('a', $1)");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Plain > Wait > Read > Mail > Mark', { Plain })), OPEN);
  });

  it('that is over when the work is done, or asked for once more in front of it, is long enough', () => {
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Read > Mail > Mark > Wait > Say', { Say: SLACK })), LOCKED);
    const Assert = sql("select fence from leasehold.assert_holder('a', $1)");
    assert.deepEqual(rulesOf(waits('5 min', 'Lock > Wait > Assert > Read > Mail > Mark', { Assert })), LOCKED);
  });

  it('that nothing ends makes most starts find it held', () => {
    const kept = behind(acquire('a', '7 days'));
    assert.deepEqual(rulesOf(kept), ['guard.fails-open warning', ...LOCKED]);
    assert.match(
      said(kept),
      /takes for 7d: the starts that come every 1h find it held until then, and the work is done once in 7d/,
    );
    const freed = story({ Lock: acquire('a', '7 days') }, 'Lock > Read > Mail > Mark > Free');
    assert.doesNotMatch(said(freed), /Nothing in this workflow/);
    for (const lock of [
      acquire('a', '59 min'),
      acquire("a-{{ $now.toFormat('yyyy-MM-dd') }}", '7 days'),
      acquire('a-{{ $json.id }}', '7 days'),
    ])
      assert.deepEqual(rulesOf(behind(lock)), LOCKED);
    const elsewhere = story(
      { Lock: acquire('a', '7 days'), Sub: { type: 'executeWorkflow' } },
      'Lock > Read > Mail > Mark > Sub',
    );
    assert.deepEqual(rulesOf(elsewhere), LOCKED);
  });
});

describe('a lock that is given back', () => {
  const EARLY = /^critical "Free" gives back the lock of "Lock" before/m;
  const freed = (flow: string, nodes: Readonly<Record<string, Drawn>> = {}): Drawing =>
    story({ Lock: acquire('a', '5 min'), Say: SLACK, ...nodes }, flow);

  it('before the work, or before the mark, is free while the run is still at work', () => {
    assert.deepEqual(rulesOf(freed('Lock > Free > Read > Mail > Mark')), OPEN);
    assert.match(said(freed('Lock > Free > Read > Mail > Mark')), /before "Mail", "Mark": the next start gets it/);
    assert.match(said(freed('Lock > Read > Free > Mail > Mark')), EARLY);
    assert.match(said(freed('Lock > Read > Mail > Free > Mark')), EARLY);
    assert.match(said(freed('Lock > Free > Mail')), EARLY);
    assert.match(said(freed('Lock > Read > Free > Mail')), EARLY);
  });

  it('by HTTP and by our own node counts alike', () => {
    const byHttp = {
      Lock: http('POST', 'https://l.test/v1/locks/a/acquire'),
      Got: PROCEED,
      Free: http('POST', 'https://l.test/v1/locks/a/release'),
    };
    assert.match(said(freed('Lock > Got > Free > Read > Mail > Mark', byHttp)), EARLY);
    const own = { Lock: GUARD, Free: { ...GUARD, parameters: { operation: 'release' } } };
    assert.match(said(freed('Lock > Free > Read > Mail > Mark', own)), EARLY);
    const verdict = { Lock: GUARD, Free: { ...GUARD, parameters: { operation: 'complete' } } };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', verdict)), EARLY);
  });

  it('on a branch that n8n runs first is free, on one that it runs last is not', () => {
    const first = freed('Lock > Free; Lock > Read > Mail > Mark', { Free: { ...RELEASE, position: [0, -100] } });
    assert.match(said(first), EARLY);
    const last = freed('Lock > Free; Lock > Read > Mail > Mark', { Free: { ...RELEASE, position: [0, 100] } });
    assert.doesNotMatch(said(last), EARLY);
  });

  it('inside a loop is free from the second pass on', () => {
    const loop = { Loop: { type: 'splitInBatches', typeVersion: 3 } };
    const inside = freed('Lock > Read > Loop; Loop.1 > Mail > Mark > Free > Loop', loop);
    assert.match(said(inside), /^critical "Free" stands inside the loop "Loop"/m);
    assert.doesNotMatch(said(freed('Lock > Read > Loop > Free; Loop.1 > Mail > Mark > Loop', loop)), /^critical/m);
    const atLast = { ...loop, Last: { type: 'if', typeVersion: 2.2 } };
    const chosen = freed('Lock > Read > Loop; Loop.1 > Mail > Mark > Last > Free > Loop; Last.1 > Loop', atLast);
    assert.doesNotMatch(said(chosen), /^critical/m);
    const each = freed('Read > Loop; Loop.1 > Lock > Mail > Mark > Free > Loop', loop);
    assert.doesNotMatch(said(each), /^critical/m);
  });

  it('when the work is done may be followed by who tells of it', () => {
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free > Say')), EARLY);
    assert.doesNotMatch(said(freed('Lock > Read > Mark > Free > Mail')), EARLY);
    assert.doesNotMatch(said(freed('Lock > Mail > Free > Say')), EARLY);
    const failing = { Mail: { ...MAIL, onError: 'continueErrorOutput' } };
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free; Mail.1 > Free > Say', failing)), EARLY);
    const nothing = { Any: { type: 'if', typeVersion: 2.2 } };
    assert.doesNotMatch(said(freed('Lock > Read > Any > Mail > Mark > Free; Any.1 > Free', nothing)), EARLY);
  });

  it('is another one by its name, or stays shut for a while, or is not all that keeps others off', () => {
    const other = { Free: sql("select * from leasehold.release('b', $1, 'success')") };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', other)), EARLY);
    const later = { Free: sql("select * from leasehold.release('a', $1, 'success', after => '2 minutes')") };
    assert.doesNotMatch(said(freed('Lock > Free > Read > Mail > Mark', later)), EARLY);
    const claimed = { Claim: sql("select * from leasehold.claim_next('orders', 'me', 50)") };
    assert.doesNotMatch(said(freed('Lock > Claim > Free > Mail', claimed)), EARLY);
    assert.doesNotMatch(said(freed('Lock > Free > Claim > Mail', claimed)), EARLY);
    const twice = { Second: acquire('b', '5 min') };
    assert.deepEqual(
      rulesOf(freed('Second > Lock > Free > Read > Mail > Mark', twice)).filter((rule) => rule.startsWith('window')),
      LOCKED,
    );
  });

  it('after an error, as docs/guides/sql.md shows, is no lock that nothing asks', () => {
    const after = sql(
      "select freed.outcome from leasehold.runs('a', $1::text) run cross join lateral leasehold.acquire(run.lock, '125 minutes', run.holder, run_id => run.run_id) again cross join lateral leasehold.release(run.lock, again.token, 'failure') freed",
    );
    const failing = { Mail: { ...MAIL, onError: 'continueErrorOutput' }, After: after };
    assert.doesNotMatch(said(freed('Lock > Read > Mail > Mark > Free; Mail.1 > After > Say', failing)), /Nothing asks/);
  });
});

describe('our own calls by HTTP', () => {
  it('that touch a lock or work a pool are no effects', () => {
    for (const path of [
      'locks/a/renew',
      'locks/a/check',
      'pools/orders/begin',
      'pools/orders/verdicts',
      'pools/orders/extend',
    ])
      assert.deepEqual(
        rulesOf({ nodes: { Clock: HOURLY, Call: http('POST', `https://l.test/v1/${path}`) }, flow: 'Clock > Call' }),
        [],
        path,
      );
  });

  it('that take a lock behind a webhook are believed as before', () => {
    const nodes = {
      Hook: WEBHOOK,
      Lock: http('POST', 'https://l.test/v1/locks/a/acquire'),
      Got: code('return $json.proceed ? items : [];'),
      Mail: MAIL,
    };
    assert.deepEqual(findingsOf({ nodes, flow: 'Hook > Lock > Got > Mail' }, 'guard.fails-open'), []);
  });
});
