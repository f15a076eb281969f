/** A lock taken by SQL holds only where the workflow asks for its answer: word for word. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { code, MAIL, MARK_ROW, PROCEED, READ_ROWS, when } from './parts.ts';

const lock = (query: string, more: Record<string, unknown> = {}): Drawn => ({
  type: 'postgres',
  typeVersion: 2.5,
  parameters: { operation: 'executeQuery', query },
  ...more,
});
const ACQUIRE = lock("select outcome, proceed, token from leasehold.acquire('a', '5 min', $1::text)");
const WHERE = "select token from leasehold.acquire('a', '5 min', $1::text) where proceed";
const REST = { Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };
const story = (nodes: Readonly<Record<string, Drawn>>, flow: string): Drawing => ({
  nodes: { Clock: HOURLY, ...nodes, ...REST },
  flow: `Clock > ${flow} > Read > Mail > Mark`,
});
const saidOf = (drawing: Drawing): string[] =>
  findingsOf(drawing, 'guard.fails-open').map(({ severity, message }) => `${severity}: ${message}`);

const UNASKED =
  'critical: Nothing asks what the lock "Lock" answered before "Mail": where the lock is held, the run goes on all the same.';
const WRONG =
  'critical: "Mail" stands at the output of "Got it?" where the lock "Lock" is held by another run: the work is done exactly when it must not be.';

describe('a lock taken by SQL', () => {
  it('holds where an IF, a filter, code or the statement itself asks for its answer', () => {
    const filter: Drawn = { ...PROCEED, type: 'filter' };
    for (const drawing of [
      story({ Lock: ACQUIRE, 'Got it?': PROCEED }, 'Lock > Got it?'),
      story({ Lock: ACQUIRE, 'Got it?': filter }, 'Lock > Got it?'),
      story({ Lock: ACQUIRE, 'Got it?': code('return items.filter((i) => i.json.proceed);') }, 'Lock > Got it?'),
      story({ Lock: lock(WHERE) }, 'Lock'),
      story({ Lock: lock("select fence from leasehold.assert_holder('a', $1::text)") }, 'Lock'),
    ])
      assert.deepEqual(saidOf(drawing), []);
  });

  it('is no guard where nothing asks, where another thing is asked, and where no row goes on all the same', () => {
    const weather = when('={{ $json.weather }}', 'true');
    for (const drawing of [
      story({ Lock: ACQUIRE }, 'Lock'),
      story({ Lock: ACQUIRE, 'Got it?': weather }, 'Lock > Got it?'),
      story({ Lock: ACQUIRE, 'Got it?': { ...PROCEED, disabled: true } }, 'Lock > Got it?'),
      story({ Lock: lock(WHERE, { alwaysOutputData: true }) }, 'Lock'),
      story({ Lock: lock(`${WHERE} = false`) }, 'Lock'),
    ])
      assert.deepEqual(saidOf(drawing), [UNASKED]);
    const [finding] = findingsOf(story({ Lock: ACQUIRE }, 'Lock'), 'guard.fails-open');
    assert.equal(
      finding?.advice,
      'Put an IF directly behind "Lock": {{ $json.proceed }} is true goes on, false ends (docs/guides/sql.md#n8n). Always Output Data of the lock stays off.',
    );
    assert.deepEqual(
      finding.evidence.map(({ node, part }) => `${String(node)} ${String(part)}`),
      ['Lock takes', 'Mail effect'],
    );
  });

  it('is turned round where the work stands at the other output', () => {
    const old: Drawn = {
      type: 'if',
      parameters: { conditions: { boolean: [{ value1: '={{ $json.proceed }}', value2: false }] } },
    };
    const turned = [
      [PROCEED, 1],
      [when('={{ $json.proceed }}', 'false'), 0],
      [when('={{ $json.proceed }}', 'notEquals', true), 0],
      [when('={{ $json.proceed }}', 'equals', false), 0],
      [when('={{ !$json.proceed }}', 'true'), 0],
      [old, 0],
    ] as const;
    for (const [asked, output] of turned) {
      const wrong = story({ Lock: ACQUIRE, 'Got it?': asked }, `Lock > Got it?; Got it?.${output}`);
      assert.deepEqual(saidOf(wrong), [WRONG], JSON.stringify(asked));
      const right = story({ Lock: ACQUIRE, 'Got it?': asked }, `Lock > Got it?; Got it?.${1 - output}`);
      assert.deepEqual(saidOf(right), [], JSON.stringify(asked));
    }
    const [finding] = findingsOf(
      story({ Lock: ACQUIRE, 'Got it?': PROCEED }, 'Lock > Got it?; Got it?.1'),
      'guard.fails-open',
    );
    assert.equal(
      finding?.advice,
      'Change the outputs of "Got it?" over: the work belongs where {{ $json.proceed }} is true.',
    );
  });

  it('may tell somebody where it is held', () => {
    const drawing = story(
      { Lock: ACQUIRE, 'Got it?': PROCEED, Say: { type: 'slack', typeVersion: 2 } },
      'Lock > Got it?',
    );
    assert.deepEqual(saidOf({ ...drawing, flow: `${drawing.flow}; Got it?.1 > Say` }), []);
  });
});
