/** The shapes in which workflows of n8n lie about. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { poolShared } from '../../../src/audit/rules/pools/pool-shared.ts';
import { known } from '../stage.ts';
import { audit, draw, type Drawn, HOURLY } from './build.ts';
import { CLAIM, MAIL, STORY } from './parts.ts';

const ONE = draw(STORY);
const TWO = draw({ ...STORY, id: 'w2', name: 'Second', nodes: { Hook: { type: 'webhook' } }, flow: '' });

describe('files of workflows', () => {
  const SHAPES: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
    'one object': [ONE, ['Reminders']],
    'a list': [
      [ONE, TWO],
      ['Reminders', 'Second'],
    ],
    '{workflow}': [{ workflow: ONE }, ['Reminders']],
    '{data: object}': [{ data: ONE }, ['Reminders']],
    '{data: list} of the API': [{ data: [ONE, TWO], nextCursor: null }, ['Reminders', 'Second']],
    '{workflows}': [{ workflows: [ONE, TWO], count: 2 }, ['Reminders', 'Second']],
    'a list of wrapped ones': [
      [{ workflow: ONE }, { workflow: TWO }],
      ['Reminders', 'Second'],
    ],
    'a template with its name outside': [
      { id: 7, name: 'Template', workflow: { nodes: ONE['nodes'], connections: {} } },
      ['Template'],
    ],
    'a template as its site hands it out': [
      {
        workflow: {
          id: 7,
          name: 'Template',
          nodes: [{ id: 1, name: 'n8n-nodes-base.if', icon: 'fa:x' }],
          workflow: { nodes: ONE['nodes'], connections: {} },
        },
      },
      ['Template'],
    ],
    'a paste of nodes': [{ nodes: ONE['nodes'], connections: ONE['connections'] }, ['file1.json']],
    'no connections': [{ name: 'Loose', nodes: ONE['nodes'] }, ['Loose']],
    'no nodes': [{ name: 'Empty', nodes: [], connections: {} }, ['Empty']],
    'null for nodes': [{ name: 'Null', nodes: null, connections: {} }, ['Null']],
  };
  for (const [shape, [value, names]] of Object.entries(SHAPES))
    it(`${shape} is read`, () =>
      assert.deepEqual(
        audit(value).workflows.map(({ name }) => name),
        names,
      ));

  it('what is no workflow is said in one line', () => {
    for (const value of [
      null,
      7,
      'x',
      [],
      {},
      { nodes: 7 },
      { flow: [], metadata: {} },
      { nodes: [{ x: 1 }] },
      [[[[[[ONE]]]]]],
    ]) {
      const { workflows, unread } = audit(value);
      assert.deepEqual([workflows.length, unread.length], [0, 1], JSON.stringify(value));
    }
  });

  it('tags as words, notes on the canvas and pinned data change nothing', () => {
    const noted = draw({
      ...STORY,
      nodes: { ...STORY.nodes, Note: { type: 'stickyNote', parameters: { content: 'Read me' } } },
    });
    const [plain] = audit(ONE).workflows;
    const [dressed] = audit({ ...noted, tags: ['crm', 'été'], pinData: { Mail: [{ json: {} }] } }).workflows;
    assert.deepEqual([dressed?.paths, dressed?.findings], [plain?.paths, plain?.findings]);
  });

  it('the published version is looked at and not the draft', () => {
    const draft = {
      ...ONE,
      versionId: 'v2',
      nodes: [],
      connections: {},
      activeVersion: { versionId: 'v1', nodes: ONE['nodes'], connections: ONE['connections'] },
    };
    const { workflows, limits } = audit(draft);
    assert.equal(workflows[0]?.paths.length, 1);
    assert.equal(limits.length, 1);
    assert.deepEqual(audit({ ...draft, versionId: 'v1' }).limits, []);
  });

  it('says whether it is switched on where the file does', () => {
    const activeOf = (more: Record<string, unknown>): unknown =>
      audit({ ...ONE, active: undefined, ...more }).workflows[0]?.isActive;
    assert.deepEqual(
      [
        { active: true },
        { active: false },
        {},
        { activeVersionId: 'v1' },
        { activeVersionId: null },
        { active: true, isArchived: true },
      ].map(activeOf),
      [true, false, null, true, false, false],
    );
  });

  it('two of one name without ids are two, told apart by their files', () => {
    const nameless = { ...ONE, id: undefined };
    assert.deepEqual(
      audit(nameless, nameless).workflows.map(({ id }) => id),
      ['Reminders (file1.json)', 'Reminders (file2.json)'],
    );
    assert.deepEqual(
      audit(nameless).workflows.map(({ id }) => id),
      ['Reminders'],
    );
  });

  it('the oldest form of connections, without lists around their targets, is followed', () => {
    const connections = {
      Clock: { main: [{ node: 'New orders', type: 'main', index: 0 }] },
      'New orders': { main: [[{ node: 'Mark sent' }]] },
    };
    assert.equal(audit({ ...ONE, connections }).workflows[0]?.paths[0]?.steps, 0);
  });
});

describe('shared pools', () => {
  const GMAIL = { type: 'gmailTrigger', credentials: { gmailOAuth2: { id: 'g1' } } };
  const shared = (...values: readonly unknown[]): ReturnType<typeof poolShared> =>
    poolShared(audit(...values).workflows.map((definition) => known([], { definition })));
  /** Whom something has to change for. */
  const foundAt = (...values: readonly unknown[]): number[] =>
    shared(...values)
      .filter(({ finding }) => !finding.advice.startsWith('Nothing has to change here'))
      .map(({ at }) => at);
  const watching = (id: string, more: Record<string, unknown> = {}): unknown =>
    draw({
      id,
      nodes: { Inbox: GMAIL, Say: { type: 'slack', typeVersion: 2, parameters: { text: id } } },
      flow: 'Inbox > Say',
      ...more,
    });

  it('two workflows on one trigger are named to each other, but not where one is switched off (C89)', () => {
    assert.deepEqual(foundAt(watching('w1'), watching('w2')), [0, 1]);
    assert.deepEqual(foundAt(watching('w1'), watching('w2', { active: false })), []);
  });

  it('who claims its records may share them; what is wrong is told of the other', () => {
    const claiming = draw({
      ...STORY,
      id: 'w2',
      nodes: { ...STORY.nodes, Claim: CLAIM },
      flow: 'Clock > New orders > Claim > Mail > Mark sent',
    });
    const other = { ...draw({ ...STORY, id: 'w3', name: 'Third' }), nodes: ONE['nodes'] };
    assert.deepEqual(foundAt(claiming, other), [1]);
    // Who claims is told of it too, as a note.
    assert.deepEqual(
      shared(claiming, other).map(({ at, finding }) => [at, finding.severity]),
      [
        [1, 'critical'],
        [0, 'info'],
      ],
    );
    assert.deepEqual(foundAt(claiming, { ...claiming, id: 'w4' }), []);
  });

  it('who takes and marks rows in one statement is named to who takes them by a plain read', () => {
    const sql = (query: string): Drawn => ({
      type: 'postgres',
      parameters: { operation: 'executeQuery', query },
      credentials: { postgres: { id: '1' } },
    });
    const taking = draw({
      id: 'w5',
      nodes: {
        Clock: HOURLY,
        Take: sql(
          "update orders set status = 'taken' where id in (select id from orders where status = 'new' for update skip locked limit 9) returning *",
        ),
        Mail: MAIL,
        Mark: sql("update orders set status = 'done' where id = {{ $json.id }}"),
      },
      flow: 'Clock > Take > Mail > Mark',
    });
    const plain = draw({
      id: 'w6',
      nodes: {
        Clock: HOURLY,
        Read: sql("select * from orders where status = 'new' limit 5"),
        Mail: MAIL,
        Mark: sql("update orders set status = 'done' where id = {{ $json.id }}"),
      },
      flow: 'Clock > Read > Mail > Mark',
    });
    assert.deepEqual(foundAt(taking, plain), [1]);
    assert.deepEqual(foundAt(taking, { ...taking, id: 'w7' }), []);
  });

  it('what is switched off takes nothing from a pool', () => {
    const other = draw({ ...STORY, id: 'w2', nodes: { ...STORY.nodes, Mail: { type: 'slack', typeVersion: 2 } } });
    assert.deepEqual(foundAt(ONE, other), [0, 1]);
    assert.deepEqual(foundAt(ONE, { ...other, active: false }), []);
  });

  it('one workflow that was read twice shares nothing with itself', () => assert.deepEqual(foundAt(ONE, ONE), []));

  it('keys name what is read and written, and leave out what the file does not tell', () => {
    const [workflow] = audit(ONE).workflows;
    assert.deepEqual(workflow?.reads, ['airtable\tappOrders00001\ttblOrders00001']);
    assert.deepEqual(workflow.writes, workflow.reads);
    const vague = draw({
      ...STORY,
      nodes: {
        ...STORY.nodes,
        'New orders': {
          type: 'airtable',
          typeVersion: 2.1,
          parameters: { operation: 'search', base: { value: 'YOUR_BASE_ID' } },
        },
      },
    });
    assert.deepEqual(audit(vague).workflows[0]?.reads, []);
  });
});
