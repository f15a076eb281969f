/** Locks that are asked for, and keep nobody out all the same: by their name, or by how they are asked for. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { acquire, behind, given, LOCKED, OPEN, REST, rulesOf, said, sql, story } from './lock-parts.ts';
import { code, http, MAIL, PROCEED, WEBHOOK } from './parts.ts';

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
    ['today', acquire('a-{{ $today.toISODate() }}')],
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

  it('that the node before puts together is read there', () => {
    const byNode = (node: Drawn, name = '{{ $json.lock }}'): Drawing =>
      story({ Names: node, Lock: acquire(name) }, 'Names > Lock > Read > Mail > Mark');
    const set = (value: string): Drawn => ({
      type: 'set',
      typeVersion: 3.4,
      parameters: { assignments: { assignments: [{ name: 'lock', value }] } },
    });
    const older: Drawn = {
      type: 'set',
      parameters: { values: { string: [{ name: 'lock', value: '=a-{{ $now }}' }] } },
    };
    for (const [node, name] of [
      [set('=a-{{ $execution.id }}'), '{{ $json.lock }}'],
      [set('=a-{{ $execution.id }}'), "{{ $('Names').first().json.lock }}"],
      [set('=a-{{ $execution.id }}'), "a-{{ $node['Names'].json['lock'] }}"],
      [older, '{{ $json["lock"] }}'],
      [code("return [{ json: { lock: 'a-' + $execution.id, holder: 'me' } }];"), '{{ $json.lock }}'],
    ] as const)
      assert.deepEqual(rulesOf(byNode(node, name)), OPEN, name);
    for (const node of [
      set('a'),
      set('=a-{{ $workflow.id }}'),
      code("return [{ json: { lock: 'a', run: $execution.id } }];"),
    ])
      assert.deepEqual(rulesOf(byNode(node)), LOCKED);
  });

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

describe('a name for each day', () => {
  it('keeps a second start of that day out, also where there is one a day', () => {
    const daily = {
      type: 'scheduleTrigger',
      typeVersion: 1.2,
      parameters: { rule: { interval: [{ field: 'days' }] } },
    };
    const drawing = story(
      { Clock: daily, Lock: acquire("a-{{ $now.toFormat('yyyyMMdd') }}") },
      'Lock > Read > Mail > Mark',
    );
    assert.deepEqual(rulesOf(drawing), LOCKED);
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
