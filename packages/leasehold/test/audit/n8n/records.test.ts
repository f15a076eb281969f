/** What is a list of records that a second run would take, and what is none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Rule } from '../../../src/audit/model/finding.ts';
import { type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { code, http, MAIL } from './parts.ts';

const foundOf = (drawing: Drawing, rule: Rule): string[] =>
  findingsOf(drawing, rule).map(({ severity, message }) => `${severity}: ${message}`);
const sql = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
  credentials: { postgres: { id: '1', name: 'shop' } },
});
const mailed = (read: Drawn): Drawing => ({
  nodes: { Clock: HOURLY, Read: read, Mail: MAIL },
  flow: 'Clock > Read > Mail',
});

describe('a read that hands no records on', () => {
  it('is a figure of them: a daily report of a sum takes nothing from the next one', () => {
    const report = mailed(sql('SELECT sum(x) FROM orders WHERE day=current_date-1'));
    for (const rule of ['window.no-status-write', 'read.unbounded'] as const)
      assert.deepEqual(foundOf(report, rule), [], rule);
    assert.deepEqual(
      findingsOf(report, 'guard.missing').map(({ severity }) => severity),
      ['info'],
    );
    const listed = mailed(sql('SELECT customer, sum(x) FROM orders GROUP BY customer'));
    assert.equal(foundOf(listed, 'window.no-status-write').length, 1);
  });

  it("is a list of n8n's own workflows, as a backup reads them", () => {
    const backup: Drawing = {
      nodes: {
        Clock: HOURLY,
        List: { type: 'n8n', parameters: { resource: 'workflow' } },
        Up: { type: 'googleDrive', typeVersion: 3 },
      },
      flow: 'Clock > List > Up',
    };
    for (const rule of ['window.no-status-write', 'guard.missing'] as const)
      assert.deepEqual(
        findingsOf(backup, rule).map(({ severity }) => severity),
        ['info'],
        rule,
      );
  });
});

describe('the first of a list inside an answer', () => {
  const taking = (jsCode: string, search: Record<string, unknown> = {}): Drawing => ({
    nodes: {
      Clock: HOURLY,
      Search: http('POST', 'https://crm.test/v3/objects/deals/search', search),
      First: code(jsCode),
      Call: http('POST', 'https://api.vapi.ai/call/phone'),
    },
    flow: 'Clock > Search > First > Call',
  });
  const dropped = (jsCode: string, search?: Record<string, unknown>): number =>
    findingsOf(taking(jsCode, search), 'items.dropped').length;

  it('drops the others, in whatever way the code takes it (C144)', () => {
    for (const jsCode of [
      'return [{json: $input.first().json.results[0]}]',
      'const answer = $input.first().json;\nreturn [{ json: answer.results?.[0] }];',
      'const { results } = items[0].json; return [{ json: results.at(0) }];',
      'return [{ json: $json.deals.shift() }];',
    ])
      assert.equal(dropped(jsCode), 1, jsCode);
  });

  it('is no loss where all of it is used, where one was asked for, and where it is no list of records', () => {
    for (const jsCode of [
      'return $input.first().json.results.map((deal) => ({ json: deal }));',
      'for (const deal of $json.results) out.push(deal); return [{ json: out[0] }];',
      'return [{ json: $input.first().json }];',
      'return [{ json: { text: $json.choices[0].message } }];',
      "return [{ json: { first: $json.name.split(' ')[0] } }];",
      '// const one = $json.results[0];\nreturn [{ json: $json }];',
    ])
      assert.equal(dropped(jsCode), 0, jsCode);
    const first = 'return [{json: $input.first().json.results[0]}]';
    assert.equal(dropped(first, { jsonBody: '{"limit": 1}' }), 0);
    assert.equal(dropped(first, { bodyParameters: { parameters: [{ name: 'limit', value: '1' }] } }), 0);
    assert.equal(dropped(first, { jsonBody: '{"limit": 10}' }), 1);
  });
});
