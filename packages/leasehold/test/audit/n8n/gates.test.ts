/** What keeps a second run out counts; what looks like it and doesn't lowers nothing anywhere. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { CLAIM, code, GUARD, http, MAIL, MARK_ROW, PROCEED, READ_ROWS, STORY, WEBHOOK, when } from './parts.ts';

const rulesOf = (drawing: Drawing): string[] =>
  auditOf(drawing)
    .findings.map(({ rule, severity }) => `${rule} ${severity}`)
    .toSorted();
const sql = (query: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
  ...more,
});
const SLACK: Drawn = { type: 'slack', typeVersion: 2.2 };
const BY_SQL = sql("select * from leasehold.acquire('a', '5 min', 'me')");
const BY_HTTP = http('POST', 'https://locks.test/v1/locks/a/acquire');
const ALWAYS = { alwaysOutputData: true };
const REST = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };
const story = (nodes: Readonly<Record<string, Drawn>>, flow: string): Drawing => ({
  nodes: { ...REST, ...nodes },
  flow: `Clock > ${flow} > Read > Mail > Mark`,
});
const asked = (lock: Drawn, got: Drawn, flow = 'Lock > Got'): Drawing => story({ Lock: lock, Got: got }, flow);

const LOCKED = ['window.effect-before-mark warning'];
const OPEN = ['guard.fails-open critical', 'window.effect-before-mark critical', 'window.read-to-write warning'];

const conditions = (combinator: string, ...list: readonly Record<string, unknown>[]): Drawn => ({
  type: 'if',
  typeVersion: 2.2,
  parameters: { conditions: { combinator, conditions: list } },
});
const GOT = { leftValue: '={{ $json.proceed }}', rightValue: '', operator: { type: 'boolean', operation: 'true' } };
const SUNNY = {
  leftValue: '={{ $json.weather }}',
  rightValue: 'sun',
  operator: { type: 'string', operation: 'equals' },
};
const rules = (...values: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  values: values.map((condition) => ({ conditions: { conditions: [condition] } })),
});
const HELD = { leftValue: '={{ $json.outcome }}', rightValue: 'skipped', operator: { operation: 'equals' } };
const switched = (parameters: Record<string, unknown>): Drawn => ({ type: 'switch', typeVersion: 3.2, parameters });

describe('what asks whether a lock was got', () => {
  const HOLD: readonly (readonly [name: string, got: Drawn, flow?: string])[] = [
    ['an IF on proceed', PROCEED],
    ['an IF that compares it with true', when('={{ $json.proceed }}', 'equals', true)],
    ['an IF on the body of an HTTP answer', when('={{ $json.body.proceed }}', 'true')],
    ['an IF that names the lock', when("={{ $('Lock').first().json.proceed === true }}", 'true')],
    ['an IF that names the lock as older versions do', when('={{ $node["Lock"].json["proceed"] }}', 'equals', 'true')],
    ['an IF on the outcome', when('={{ $json.outcome }}', 'notEquals', 'skipped')],
    ['an IF on the token', when('={{ $json.token }}', 'notEmpty')],
    ['an IF on that and more', when('={{ Boolean($json.proceed) && $json.count > 0 }}', 'true')],
    ['an IF that says not twice', when('={{ !!$json.proceed }}', 'true')],
    ['an IF with its sides exchanged', when(true, 'equals', '={{ $json.proceed }}')],
    [
      'an IF on its opposite, with the work at the other output',
      when('={{ !$json.proceed }}', 'true'),
      'Lock > Got; Got.1',
    ],
    [
      'an IF on a skip, with the work at the other output',
      when('={{ $json.outcome }}', 'equals', 'skipped'),
      'Lock > Got; Got.1',
    ],
    ['an IF on both of two conditions', conditions('and', GOT, SUNNY)],
    [
      'an IF of version 1',
      { type: 'if', parameters: { conditions: { boolean: [{ value1: '={{ $json.proceed }}', value2: true }] } } },
    ],
    ['a filter', { ...PROCEED, type: 'filter' }],
    ['code that filters', code('return items.filter((item) => item.json.proceed);')],
    ['a rule of a switch', switched({ rules: rules(GOT) })],
    [
      'what is left over of a switch on a skip',
      switched({ rules: rules(HELD), options: { fallbackOutput: 'extra' } }),
      'Lock > Got; Got.1',
    ],
    [
      'a switch by expression',
      switched({ mode: 'expression', output: '={{ $json.proceed ? 1 : 0 }}' }),
      'Lock > Got; Got.1',
    ],
    [
      'a switch of version 1',
      {
        type: 'switch',
        typeVersion: 1,
        parameters: {
          dataType: 'boolean',
          value1: '={{ $json.proceed }}',
          rules: { rules: [{ value2: true, output: 2 }] },
        },
      },
      'Lock > Got; Got.2',
    ],
    [
      'a switch of version 2, which goes by the order of its rules',
      {
        type: 'switch',
        typeVersion: 2,
        parameters: {
          dataType: 'boolean',
          value1: '={{ $json.proceed }}',
          rules: { rules: [{ outputKey: 'busy' }, { value2: true, output: 7 }] },
        },
      },
      'Lock > Got; Got.1',
    ],
    [
      'an IF of version 1 that leaves out the false it compares with, with the work at the other output',
      { type: 'if', parameters: { conditions: { boolean: [{ value1: '={{ $json.proceed }}' }] } } },
      'Lock > Got; Got.1',
    ],
  ];
  for (const [name, got, flow] of HOLD)
    it(`${name} keeps a second run out`, () => {
      for (const lock of [BY_SQL, BY_HTTP]) assert.deepEqual(rulesOf(asked(lock, got, flow)), LOCKED);
    });

  const LEAK: readonly (readonly [name: string, got: Drawn, flow?: string])[] = [
    ['an IF on something else', when('={{ $json.weather }}', 'true')],
    ['an IF on a word that only looks like it', when('={{ $json.weather }}', 'equals', 'proceed')],
    ['an IF that asks whether there is an answer', when('={{ $json.proceed }}', 'exists')],
    ['an IF on the answer of another node', when("={{ $('Other').first().json.proceed }}", 'true')],
    ['an IF that may be overruled', when('={{ $json.proceed || $json.force }}', 'true')],
    ['an IF on either of two conditions', conditions('or', GOT, SUNNY)],
    ['an IF that goes on with an empty item', { ...PROCEED, ...ALWAYS }],
    ['a filter that goes on with an empty item', { ...PROCEED, type: 'filter', ...ALWAYS }],
    ['a filter that keeps what is held', { ...when('={{ $json.proceed }}', 'false'), type: 'filter' }],
    ['code that hands the answer on', code('return items.map((item) => ({ json: { proceed: item.json.proceed } }));')],
    ['a switch that asks something else first', switched({ rules: rules(SUNNY, GOT) })],
    ['a switch that takes only what is held', switched({ rules: rules(HELD) })],
    ['a switch on something else', switched({ mode: 'expression', output: '={{ $json.weather ? 1 : 0 }}' })],
    [
      'an IF of version 1 that leaves out the false it compares with',
      { type: 'if', parameters: { conditions: { boolean: [{ value1: '={{ $json.proceed }}' }] } } },
    ],
    [
      'an IF of version 1 on any of its conditions',
      {
        type: 'if',
        parameters: {
          combineOperation: 'any',
          conditions: {
            boolean: [{ value1: '={{ $json.proceed }}', value2: true }],
            string: [{ value1: '={{ $json.weather }}', value2: 'sun' }],
          },
        },
      },
    ],
    ['an IF with its work at the wrong output', PROCEED, 'Lock > Got; Got.1'],
    ['an IF on the opposite with its work at the first output', when('={{ $json.proceed }}', 'false')],
  ];
  for (const [name, got, flow] of LEAK)
    it(`${name} is no guard`, () => {
      for (const lock of [BY_SQL, BY_HTTP]) assert.deepEqual(rulesOf(asked(lock, got, flow)), OPEN);
    });

  it('a lock whose answer nothing asks lowers nothing, by whatever way it is taken', () => {
    const computed = http('POST', "={{ $env.LOCKS + '/v1/locks/a/acquire' }}");
    for (const lock of [
      BY_SQL,
      BY_HTTP,
      computed,
      sql("select * from leasehold.acquire('a', '5 min', 'me') where not proceed"),
      sql("select * from leasehold.acquire('a', '5 min', 'me') where proceed or true"),
      sql("select * from leasehold.acquire('a', '5 min', 'me') -- where proceed"),
      sql(`select * from "leasehold"."acquire"('where proceed', '5 min', 'me')`),
      sql("select * from leasehold.acquire('a', '5 min', 'me') where proceed", ALWAYS),
      { ...GUARD, ...ALWAYS },
    ])
      assert.deepEqual(rulesOf(story({ Lock: lock }, 'Lock')), OPEN, JSON.stringify(lock));
  });

  it('SQL that gives no row where it is held asks itself', () => {
    for (const where of [
      'proceed',
      'a.proceed = true',
      'proceed is not false',
      '(proceed) and 1 = 1',
      'proceed <> false',
    ])
      assert.deepEqual(
        rulesOf(story({ Lock: sql(`select * from leasehold.acquire('a', '5 min', 'me') a where ${where}`) }, 'Lock')),
        LOCKED,
        where,
      );
  });

  it('a lock that is only spoken of is none', () => {
    const spoken = sql("select 1 -- from leasehold.acquire('a', '5 min', 'me') where proceed");
    assert.deepEqual(rulesOf(story({ Lock: spoken }, 'Lock')), rulesOf(STORY));
  });
});

describe('an outcome that is asked for', () => {
  const askedFor = (...values: readonly string[]): string[] => {
    const list = values.map((rightValue) => ({
      leftValue: '={{ $json.outcome }}',
      rightValue,
      operator: { type: 'string', operation: 'equals' },
    }));
    return rulesOf(asked(BY_SQL, conditions('or', ...list)));
  };

  it('leaves the lock taken and nothing done after a crash, where it is "acquired" alone', () => {
    assert.deepEqual(askedFor('acquired'), ['guard.fails-open warning', ...LOCKED]);
    assert.deepEqual(askedFor('acquired', 'reclaimed'), LOCKED);
  });
});

describe('behind the outputs of a lock', () => {
  it('what tells that it was held needs no guard, and notes at the end of either way are no work', () => {
    const told = { nodes: { ...REST, Lock: BY_SQL, Got: PROCEED, Say: SLACK } };
    const flow = 'Clock > Lock > Got > Read > Mail > Mark';
    assert.deepEqual(rulesOf({ ...told, flow: `${flow}; Got.1 > Say` }), LOCKED);
    assert.deepEqual(rulesOf({ ...told, flow: `${flow} > Say; Got.1 > Say` }), LOCKED);
  });

  it('work that both outputs lead to is done all the same', () => {
    for (const flow of [
      'Clock > Lock > Got > Read > Mail > Mark; Got.1 > Read',
      'Clock > Lock > Read > Mail > Mark; Lock.1 > Read',
    ])
      assert.deepEqual(
        rulesOf({ nodes: { ...REST, Lock: flow.includes('Got') ? BY_SQL : GUARD, Got: PROCEED }, flow }),
        OPEN,
        flow,
      );
  });

  it('work at the second output of our own node, or at the error output of a lock, is not guarded', () => {
    const nodes = { ...REST, Lock: GUARD };
    assert.deepEqual(rulesOf({ nodes, flow: 'Clock > Lock; Lock.1 > Read > Mail > Mark' }), OPEN);
    const failing = sql("select * from leasehold.acquire('a', '5 min', 'me') where proceed", {
      onError: 'continueErrorOutput',
    });
    const flow = 'Clock > Lock > Read > Mail > Mark; Lock.1 > Read';
    assert.deepEqual(rulesOf({ nodes: { ...REST, Lock: failing }, flow }), OPEN);
  });

  it('work that nobody can see into may stand at the first', () => {
    const nodes = { Clock: HOURLY, Lock: BY_SQL, Got: PROCEED, Work: { type: 'executeWorkflow' }, Say: SLACK };
    assert.deepEqual(findingsOf({ nodes, flow: 'Clock > Lock > Got > Work; Got.1 > Say' }, 'guard.fails-open'), []);
  });

  it('one that waits and comes back for the lock has no second way', () => {
    const nodes = { ...REST, Lock: BY_SQL, Got: PROCEED, Later: { type: 'wait', typeVersion: 1.1 } };
    assert.deepEqual(rulesOf({ nodes, flow: 'Clock > Lock > Got > Read > Mail > Mark; Got.1 > Later > Lock' }), LOCKED);
  });

  it('a lock that nothing asks drops no event and is given back in time', () => {
    const nodes = { Hook: WEBHOOK, Lock: BY_HTTP, Got: PROCEED, Mail: MAIL };
    assert.equal(findingsOf({ nodes, flow: 'Hook > Lock > Got > Mail' }, 'lock.drops-events').length, 1);
    assert.equal(findingsOf({ nodes, flow: 'Hook > Lock > Mail' }, 'lock.drops-events').length, 0);
    const weather = { ...nodes, Got: when('={{ $json.weather }}', 'true') };
    assert.equal(findingsOf({ nodes: weather, flow: 'Hook > Lock > Got > Mail' }, 'lock.drops-events').length, 0);
  });
});

describe('a claim of given ids', () => {
  const claim = (query: string): Drawn => sql(query);
  const BY_IDS = claim("select * from leasehold.claim('orders', 'me', array['{{ $json.id }}'])");
  const claimed = (nodes: Readonly<Record<string, Drawn>>, flow: string): string[] =>
    rulesOf({ nodes: { ...REST, ...nodes }, flow: `Clock > Read > ${flow} > Mail > Mark` });

  it('holds where the owned ones are asked for', () => {
    const owned = claim("select * from leasehold.claim('orders', 'me', array['{{ $json.id }}']) where owned");
    assert.deepEqual(claimed({ Claim: owned }, 'Claim'), []);
    assert.deepEqual(claimed({ Claim: BY_IDS, Got: when('={{ $json.owned }}', 'true') }, 'Claim > Got'), []);
    const byHttp = http('POST', 'https://locks.test/v1/pools/orders/claim', {
      jsonBody: '={"ids":["{{ $json.id }}"]}',
    });
    assert.deepEqual(
      claimed({ Claim: byHttp, Got: code('if (!$json.records[0].owned) return [];') }, 'Claim > Got'),
      [],
    );
    assert.deepEqual(claimed({ Claim: CLAIM }, 'Claim'), []);
  });

  it('is none where nothing asks, by SQL and by HTTP', () => {
    const byHttp = http('POST', 'https://locks.test/v1/pools/orders/claim', {
      jsonBody: '={"ids":["{{ $json.id }}"]}',
    });
    for (const each of [BY_IDS, byHttp]) assert.deepEqual(claimed({ Claim: each }, 'Claim'), OPEN);
  });

  it('of the next of the queue answers for none but its own', () => {
    const next = claim("select * from leasehold.claim_next('orders', 'me', 50)");
    assert.deepEqual(rulesOf({ nodes: { Clock: HOURLY, Claim: next, Mail: MAIL }, flow: 'Clock > Claim > Mail' }), []);
  });
});
