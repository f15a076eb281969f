/** What the rules about definitions of n8n take for a fault, and what not. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import {
  behindClock,
  CLAIM,
  code,
  GUARD,
  http,
  MAIL,
  MARK_ROW,
  PROCEED,
  READ_ROWS,
  SHAPE,
  STORY,
  WEBHOOK,
} from './parts.ts';

const rulesOf = (drawing: Drawing): string[] =>
  auditOf(drawing).findings.map(({ rule, severity }) => `${rule} ${severity}`);
const SLACK: Drawn = { type: 'slack', typeVersion: 2.2 };

describe('windows', () => {
  it('the story has a window, an effect before its mark, and no guard (C91)', () => {
    assert.deepEqual(rulesOf(STORY), [
      'window.effect-before-mark critical',
      'window.read-to-write warning',
      'guard.missing warning',
    ]);
  });

  it('a claim between read and effect answers all of them', () => {
    const claimed = { nodes: { ...STORY.nodes, Claim: CLAIM }, flow: 'Clock > New orders > Claim > Mail > Mark sent' };
    assert.deepEqual(rulesOf(claimed), []);
  });

  it('a lock keeps other runs out, and leaves what a crash repeats', () => {
    assert.deepEqual(rulesOf(behindClock('Guard', GUARD)), ['window.effect-before-mark warning']);
  });

  it('a guard by HTTP or by SQL is one, too', () => {
    const byHttp = http('POST', 'https://locks.test/v1/locks/reminders/acquire');
    const bySql: Drawn = {
      type: 'postgres',
      typeVersion: 2.4,
      parameters: {
        operation: 'executeQuery',
        query: "select * from leasehold.acquire('reminders', '5 min', '{{ $execution.id }}') where proceed",
      },
    };
    const asked = {
      nodes: { ...STORY.nodes, Guard: byHttp, Got: PROCEED },
      flow: 'Clock > Guard > Got > New orders > Mail > Mark sent',
    };
    for (const drawing of [asked, behindClock('Guard', bySql)])
      assert.deepEqual(rulesOf(drawing), ['window.effect-before-mark warning']);
  });

  it('rows that one statement takes and marks are claimed', () => {
    const query =
      "update orders set state = 'taken' where id in (select id from orders where state = 'new' limit 20 for update skip locked) returning *";
    const take: Drawn = { type: 'postgres', typeVersion: 2.4, parameters: { operation: 'executeQuery', query } };
    assert.deepEqual(rulesOf({ nodes: { Clock: HOURLY, Take: take, Mail: MAIL }, flow: 'Clock > Take > Mail' }), []);
  });

  it('a mark before the effect leaves a window and no effect in it', () => {
    const early = { nodes: { ...STORY.nodes, Shape: SHAPE }, flow: 'Clock > New orders > Shape > Mark sent > Mail' };
    assert.deepEqual(auditOf(early).paths, [
      { read: 'New orders', firstWrite: 'Mark sent', steps: 1, effectBeforeMark: false },
    ]);
    assert.deepEqual(rulesOf(early), ['window.read-to-write warning', 'guard.missing warning']);
  });

  it('a report that reads no records is no more than a hint', () => {
    const weather = {
      nodes: { Clock: HOURLY, Weather: http('GET', 'https://weather.test/today'), Say: SLACK },
      flow: 'Clock > Weather > Say',
    };
    assert.deepEqual(rulesOf(weather), ['window.no-status-write info', 'guard.missing info']);
  });

  it('what is chosen by time and marked by nothing has a high-water mark (C87)', () => {
    const since = http('GET', 'https://shop.test/orders?since={{ $now.minus({ hours: 1 }) }}');
    const drawing = { nodes: { Clock: HOURLY, New: since, Mail: MAIL }, flow: 'Clock > New > Mail' };
    assert.ok(rulesOf(drawing).includes('window.high-water-mark warning'));
    assert.equal(findingsOf(STORY, 'window.high-water-mark').length, 0);
  });

  it('settings that are read first are no records; a branch of its own that nothing marks is', () => {
    const settings: Drawn = { type: 'googleSheets', typeVersion: 4.5 };
    const nodes = { ...STORY.nodes, Settings: settings };
    const served = auditOf({ nodes, flow: 'Clock > Settings > New orders > Mail > Mark sent' });
    assert.deepEqual(
      served.paths.map(({ read, firstWrite }) => [read, firstWrite]),
      [
        ['New orders', 'Mark sent'],
        ['Settings', null],
      ],
    );
    assert.ok(!served.findings.some(({ rule }) => rule === 'window.no-status-write'));
    const beside = {
      nodes: { ...nodes, Say: SLACK },
      flow: 'Clock > New orders > Mail > Mark sent; Clock > Settings > Say',
    };
    assert.ok(rulesOf(beside).includes('window.no-status-write warning'));
  });

  it('a read that nothing follows has a way that ends nowhere, and no finding', () => {
    const reading = auditOf({ nodes: { Clock: HOURLY, Rows: READ_ROWS, Shape: SHAPE }, flow: 'Clock > Rows > Shape' });
    assert.deepEqual(reading.paths, [{ read: 'Rows', firstWrite: null, steps: null, effectBeforeMark: false }]);
    assert.deepEqual(reading.findings, []);
  });

  it('writing by key to another system is no effect', () => {
    const sync = {
      nodes: { Clock: HOURLY, 'New orders': READ_ROWS, Upsert: { type: 'hubspot', typeVersion: 2.1, parameters: {} } },
      flow: 'Clock > New orders > Upsert',
    };
    assert.deepEqual(rulesOf(sync), []);
  });

  it('a POST with an idempotency key may be repeated', () => {
    const pay = http('POST', 'https://pay.test/charges', {
      headerParameters: { parameters: [{ name: 'Idempotency-Key', value: '={{ $json.id }}' }] },
    });
    const paying = { nodes: { ...STORY.nodes, Mail: pay }, flow: STORY.flow };
    assert.ok(!rulesOf(paying).some((rule) => rule.startsWith('window.effect-before-mark')));
  });

  it('what a person starts by hand is told more softly', () => {
    const byHand = { ...STORY, active: false, nodes: { ...STORY.nodes, Clock: { type: 'manualTrigger' } } };
    assert.deepEqual(rulesOf(byHand), ['window.effect-before-mark warning', 'window.read-to-write info']);
  });

  it('a part that was copied out without its trigger is told as if by hand', () => {
    const part = {
      nodes: { 'New orders': READ_ROWS, Mail: MAIL, 'Mark sent': MARK_ROW },
      flow: 'New orders > Mail > Mark sent',
    };
    assert.deepEqual(rulesOf(part), ['window.effect-before-mark warning', 'window.read-to-write info']);
  });

  it('a PATCH to the collection that a search read marks it', () => {
    const crm = {
      nodes: {
        Clock: HOURLY,
        Search: http('POST', 'https://crm.test/v3/deals/search'),
        Mail: MAIL,
        Patch: http('PATCH', '=https://crm.test/v3/deals/{{ $json.id }}'),
      },
      flow: 'Clock > Search > Mail > Patch',
    };
    assert.deepEqual(auditOf(crm).paths, [{ read: 'Search', firstWrite: 'Patch', steps: 1, effectBeforeMark: true }]);
  });

  it('the agent that may mail by a tool has an effect', () => {
    const nodes = {
      ...STORY.nodes,
      Mail: { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2 },
      'Mail tool': { type: 'gmailTool', typeVersion: 2.1 },
    };
    const drawn = auditOf({ nodes, flow: STORY.flow });
    assert.equal(drawn.paths[0]?.effectBeforeMark, false);
    const connections = {
      Clock: { main: [[{ node: 'New orders', type: 'main', index: 0 }]] },
      'New orders': { main: [[{ node: 'Mail', type: 'main', index: 0 }]] },
      Mail: { main: [[{ node: 'Mark sent', type: 'main', index: 0 }]] },
      'Mail tool': { ai_tool: [[{ node: 'Mail', type: 'ai_tool', index: 0 }]] },
    };
    assert.equal(auditOf({ nodes, flow: '', connections }).paths[0]?.effectBeforeMark, true);
  });
});

describe('guards and locks', () => {
  it('a webhook whose lock answers the sender when busy drops nothing', () => {
    const nodes = { Hook: WEBHOOK, Guard: GUARD, Mail: MAIL, Later: { type: 'respondToWebhook' } };
    assert.equal(findingsOf({ nodes, flow: 'Hook > Guard > Mail; Guard.1 > Later' }, 'lock.drops-events').length, 0);
    assert.equal(findingsOf({ nodes, flow: 'Hook > Guard > Mail' }, 'lock.drops-events').length, 1);
  });

  it('a claim behind a webhook drops nothing', () => {
    assert.deepEqual(rulesOf({ nodes: { Hook: WEBHOOK, Claim: CLAIM, Mail: MAIL }, flow: 'Hook > Claim > Mail' }), []);
  });

  it('a guard before the effect is in its place, and one behind is not', () => {
    const nodes = { Clock: HOURLY, Guard: GUARD, Mail: MAIL };
    assert.deepEqual(rulesOf({ nodes, flow: 'Clock > Guard > Mail' }), []);
    assert.deepEqual(rulesOf({ nodes, flow: 'Clock > Mail > Guard' }), [
      'guard.fails-open warning',
      'guard.missing info',
    ]);
  });

  it('a guard that nothing switched on guards nothing', () => {
    const off = behindClock('Guard', { ...GUARD, disabled: true });
    assert.deepEqual(rulesOf(off), rulesOf(STORY));
    assert.deepEqual(auditOf(off).paths, auditOf(STORY).paths);
  });

  it('a list of failed runs is a report and no guard', () => {
    const failed = { type: 'n8n', parameters: { resource: 'execution', filters: { status: 'error' } } };
    const report = { nodes: { Clock: HOURLY, Failed: failed, Say: SLACK }, flow: 'Clock > Failed > Say' };
    assert.deepEqual(rulesOf(report), ['guard.missing info']);
    const guard = {
      nodes: {
        Clock: HOURLY,
        Runs: { type: 'n8n', parameters: { resource: 'execution' } },
        Other: code("return items.filter((item) => item.json.status === 'running').length > 1 ? [] : items;"),
        Say: SLACK,
      },
      flow: 'Clock > Runs > Other > Say',
    };
    assert.deepEqual(rulesOf(guard), ['guard.fails-open warning']);
  });

  it('a flag that guards a sub-workflow, or is named a lock, is a flag', () => {
    const get = (key: string): Drawn => ({ type: 'redis', parameters: { operation: 'get', key } });
    const set = (key: string): Drawn => ({ type: 'redis', parameters: { operation: 'set', key, expire: true } });
    const flagged = (key: string, last: Drawn): Drawing => ({
      nodes: { Clock: HOURLY, Flag: get(key), Idle: { type: 'filter' }, Take: set(key), Work: last },
      flow: 'Clock > Flag > Idle > Take > Work',
    });
    assert.equal(
      findingsOf(flagged('=state_{{ $workflow.id }}', { type: 'executeWorkflow' }), 'guard.fails-open').length,
      1,
    );
    assert.equal(findingsOf(flagged('xyz-lock', SHAPE), 'guard.fails-open').length, 1);
    assert.equal(findingsOf(flagged('cache', SHAPE), 'guard.fails-open').length, 0);
  });

  it('a list of what was seen, kept in static data, is no status, and has a finding of its own', () => {
    const known = code(
      "const d = $getWorkflowStaticData('global'); const fresh = items.filter((i) => !d.done.includes(i.json.id)); d.done.push(1); return fresh;",
    );
    const drawing = {
      nodes: { Clock: HOURLY, New: READ_ROWS, Known: known, Mail: MAIL },
      flow: 'Clock > New > Known > Mail',
    };
    assert.deepEqual(rulesOf(drawing), ['guard.fails-open warning']);
  });

  it('a lock that failures give back, too, is in order; one of ours gives itself back', () => {
    const take = http('POST', 'https://locks.test/v1/locks/a/acquire');
    const give = http('POST', 'https://locks.test/v1/locks/a/release');
    const chain = (mail: Drawn, flow: string, more: Record<string, unknown> = {}): number =>
      findingsOf(
        { nodes: { Clock: HOURLY, Lock: take, Got: PROCEED, Mail: mail, Give: give, Give2: give }, flow, ...more },
        'guard.fails-open',
      ).length;
    assert.equal(chain(MAIL, 'Clock > Lock > Got > Mail > Give'), 1);
    assert.equal(
      chain({ ...MAIL, onError: 'continueErrorOutput' }, 'Clock > Lock > Got > Mail > Give; Mail.1 > Give2'),
      0,
    );
    assert.equal(chain(MAIL, 'Clock > Lock > Got > Mail > Give', { settings: { errorWorkflow: 'w9' } }), 0);
    const ours = { nodes: { Clock: HOURLY, Guard: GUARD, Mail: MAIL }, flow: 'Clock > Guard > Mail' };
    assert.deepEqual(rulesOf(ours), []);
  });

  it('a lock of somebody else is not missing', () => {
    const foreign = behindClock('Lock', { type: 'n8n-nodes-concurrencylock.concurrencyLock' });
    assert.deepEqual(findingsOf(foreign, 'guard.missing'), []);
  });

  it('an error output is not failing open', () => {
    const strict = behindClock('Guard', { ...GUARD, onError: 'continueErrorOutput' });
    assert.deepEqual(findingsOf(strict, 'guard.fails-open'), []);
  });

  it('a retry of a read or of a write by key is none of an effect', () => {
    const nodes = {
      ...STORY.nodes,
      'New orders': { ...READ_ROWS, retryOnFail: true },
      'Mark sent': { ...MARK_ROW, retryOnFail: true },
    };
    assert.deepEqual(findingsOf({ nodes, flow: STORY.flow }, 'retry.not-idempotent'), []);
  });

  it('a timeout longer than the interval is only a timeout', () => {
    const settings = { timezone: 'UTC', executionTimeout: 3_601 };
    assert.deepEqual(findingsOf({ ...STORY, settings }, 'platform.switch-is-no-lock'), []);
  });

  it('code that works each item drops none', () => {
    const nodes = { ...STORY.nodes, Shape: code('return $input.all().map((item) => ({ json: item.json }));') };
    assert.deepEqual(findingsOf({ nodes, flow: 'Clock > New orders > Shape > Mail' }, 'items.dropped'), []);
  });

  it('one item that code made of all is not the first of many', () => {
    const report = code('const rows = $input.all(); return [{ json: { text: rows.length } }];');
    const nodes = { ...STORY.nodes, Report: report, Mail: { ...MAIL, executeOnce: true } };
    assert.deepEqual(findingsOf({ nodes, flow: 'Clock > New orders > Report > Mail' }, 'items.dropped'), []);
    assert.equal(findingsOf({ nodes, flow: 'Clock > New orders > Mail' }, 'items.dropped').length, 1);
  });

  it('the first answer of a model is its only one', () => {
    const nodes = {
      ...STORY.nodes,
      Ask: http('POST', 'https://api.openai.com/v1/chat/completions'),
      Mail: { ...MAIL, parameters: { message: '={{ $json.choices[0].message.content }}' } },
    };
    assert.deepEqual(findingsOf({ nodes, flow: 'Clock > New orders > Ask > Mail' }, 'items.dropped'), []);
  });

  it('an e-mail address or a key in a name is in no finding', () => {
    const named = {
      nodes: { ...STORY.nodes, 'To jane@shop.test api_key=abc123': MAIL },
      flow: 'Clock > New orders > To jane@shop.test api_key=abc123 > Mark sent',
    };
    assert.doesNotMatch(JSON.stringify(auditOf(named).findings), /jane@|abc123/);
  });
});
