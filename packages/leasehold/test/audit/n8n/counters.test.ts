/** A counter in Redis that is taken for a lock: the first to count is alone, where something asks whether it was. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditOf, type Drawing, type Drawn, HOURLY } from './build.ts';
import { code, MAIL, MARK_ROW, READ_ROWS, WEBHOOK } from './parts.ts';

const KEY = 'lock:orders';
const redis = (operation: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'redis',
  parameters: { operation, key: KEY, ...more },
});
const number = (leftValue: string, operation: string, rightValue: unknown): Drawn => ({
  type: 'if',
  typeVersion: 2.2,
  parameters: { conditions: { conditions: [{ leftValue, rightValue, operator: { type: 'number', operation } }] } },
});
const COUNT = `={{ $json["${KEY}"] }}`;
const FIRST = number(COUNT, 'equals', 1);
const ENDING = redis('incr', { expire: true, ttl: 600 });
const REST = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW, Free: redis('delete') };

function found(count: Drawn, asked: Drawn, flow = 'Count > Asked > Read > Mail > Mark > Free'): string[] {
  const drawing: Drawing = { nodes: { ...REST, Count: count, Asked: asked }, flow: `Clock > ${flow}` };
  return auditOf(drawing)
    .findings.map(({ rule, severity }) => `${rule} ${severity}`)
    .toSorted();
}

const FREED = ['guard.fails-open info', 'window.effect-before-mark warning'];
const STORY = ['guard.missing warning', 'window.effect-before-mark critical', 'window.read-to-write warning'];

describe('a counter in Redis', () => {
  it('keeps a second run out where something asks whether it was the first', () => {
    for (const asked of [
      FIRST,
      number(COUNT, 'equals', '1'),
      number(COUNT, 'lt', 2),
      number(COUNT, 'lte', 1),
      number(`={{ $('Count').first().json['${KEY}'] }}`, 'equals', 1),
      number('={{ Object.values($json)[0] }}', 'equals', 1),
      { ...number(`={{ $json["${KEY}"] === 1 }}`, 'true', ''), alwaysOutputData: false },
      { type: 'if', parameters: { conditions: { number: [{ value1: COUNT, operation: 'equal', value2: 1 }] } } },
      { type: 'if', parameters: { conditions: { number: [{ value1: COUNT, value2: 2 }] } } },
      { ...FIRST, type: 'filter' },
      code(`if ($json['${KEY}'] > 1) return []; return items;`),
    ])
      assert.deepEqual(found(ENDING, asked), FREED, JSON.stringify(asked));
    assert.deepEqual(
      found(ENDING, number(COUNT, 'gt', 1), 'Count > Asked; Asked.1 > Read > Mail > Mark > Free'),
      FREED,
    );
  });

  it('keeps nobody out where nothing does, or something else is asked', () => {
    for (const asked of [
      number(COUNT, 'equals', 2),
      number(COUNT, 'gt', 0),
      number(COUNT, 'lt', 100),
      number('={{ $json.other }}', 'equals', 1),
      number("={{ $('Other').first().json['lock:orders'] }}", 'equals', 1),
      { ...FIRST, alwaysOutputData: true },
      { ...FIRST, type: 'filter', alwaysOutputData: true },
      code('return items;'),
    ])
      assert.deepEqual(
        found(ENDING, asked).filter((rule) => rule.startsWith('window')),
        STORY.slice(1),
        JSON.stringify(asked),
      );
    const own = redis('incr', { key: '=lock:{{ $execution.id }}', expire: true, ttl: 600 });
    assert.deepEqual(found(own, number('={{ Object.values($json)[0] }}', 'equals', 1)), STORY);
  });

  it('stays taken after a crash where it has no expiry, or each start begins that anew', () => {
    const stuck = ['guard.fails-open info', 'guard.fails-open warning', 'window.effect-before-mark warning'];
    assert.deepEqual(found(redis('incr'), FIRST), stuck);
    assert.deepEqual(found(redis('incr', { expire: true, ttl: 3_600 }), FIRST), stuck);
    assert.deepEqual(
      found(redis('incr', { expire: true, ttl: 7_200 }), FIRST, 'Count > Asked > Read > Mail > Mark'),
      stuck.slice(1),
    );
    assert.deepEqual(
      found(redis('incr', { expire: true }), FIRST, 'Count > Asked > Read > Mail > Mark'),
      stuck.slice(2),
    );
  });

  it('that is deleted before the work is free too early', () => {
    const early = found(ENDING, FIRST, 'Count > Asked > Free > Read > Mail > Mark');
    assert.deepEqual(early, ['guard.fails-open critical', ...STORY.slice(1)]);
    const drawing: Drawing = {
      nodes: { ...REST, Count: ENDING, Asked: FIRST, Other: redis('delete', { key: 'other' }) },
      flow: 'Clock > Count > Asked > Other > Read > Mail > Mark > Free',
    };
    assert.deepEqual(
      auditOf(drawing).findings.filter(({ severity }) => severity === 'critical'),
      [],
    );
  });

  it('that skips drops what a webhook brings', () => {
    const drawing: Drawing = {
      nodes: { Hook: WEBHOOK, Count: ENDING, Asked: FIRST, Mail: MAIL, Free: redis('delete') },
      flow: 'Hook > Count > Asked > Mail > Free',
    };
    assert.deepEqual(auditOf(drawing).findings.filter(({ rule }) => rule === 'lock.drops-events').length, 1);
  });

  it('that only counts is no lock', () => {
    const drawing: Drawing = {
      nodes: { Hook: WEBHOOK, Count: redis('incr', { expire: true, ttl: 60 }), Mail: MAIL },
      flow: 'Hook > Count > Mail',
    };
    assert.deepEqual(auditOf(drawing).findings, []);
  });
});
