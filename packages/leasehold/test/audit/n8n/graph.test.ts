/** The walk through branches, loops, switched-off nodes and sub-workflows. Pure. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { audit, auditOf, draw, type Drawing, type Drawn, HOURLY } from './build.ts';
import { MAIL, MARK_ROW, READ_ROWS, SHAPE, STORY } from './parts.ts';

const UNMARKED = { read: 'New orders', firstWrite: null, steps: null, effectBeforeMark: false };
const IF: Drawn = { type: 'if', typeVersion: 2 };
const LOOP: Drawn = { type: 'splitInBatches', typeVersion: 3 };
const path = (steps: number, effectBeforeMark: boolean, firstWrite = 'Mark sent'): object => ({
  read: 'New orders',
  firstWrite,
  steps,
  effectBeforeMark,
});
const pathsOf = (nodes: Drawing['nodes'], flow: string): readonly object[] =>
  auditOf({ nodes: { ...STORY.nodes, ...nodes }, flow }).paths;

describe('the walk', () => {
  it('goes round a loop once, and marks that stand inside or behind it count its body', () => {
    assert.deepEqual(pathsOf({ Loop: LOOP }, 'Clock > New orders > Loop; Loop.1 > Mail > Mark sent > Loop'), [
      path(2, true),
    ]);
    assert.deepEqual(pathsOf({ Loop: LOOP }, 'Clock > New orders > Loop; Loop.1 > Mail > Loop; Loop.0 > Mark sent'), [
      path(2, true),
    ]);
  });

  it('knows that older loops have their outputs the other way round', () => {
    const old = { Loop: { ...LOOP, typeVersion: 2 } };
    assert.deepEqual(pathsOf(old, 'Clock > New orders > Loop; Loop.0 > Mail > Loop; Loop.1 > Mark sent'), [
      path(2, true),
    ]);
  });

  it('goes through loops in loops', () => {
    const flow =
      'Clock > New orders > Outer; Outer.1 > Inner; Inner.1 > Mail > Inner; Inner.0 > Shape > Outer; Outer.0 > Mark sent';
    assert.deepEqual(pathsOf({ Outer: LOOP, Inner: LOOP, Shape: SHAPE }, flow), [path(4, true)]);
  });

  it('ends in a circle that has no loop node', () => {
    const flow = 'Clock > New orders > Check > Wait > Check; Check.1 > Mail > Mark sent';
    assert.deepEqual(pathsOf({ Check: IF, Wait: { type: 'wait' } }, flow), [path(2, true)]);
  });

  it('passes a switched-off node, which does nothing and counts for nothing', () => {
    assert.deepEqual(pathsOf({ Mail: { ...MAIL, disabled: true } }, STORY.flow), [path(0, false)]);
  });

  it('a switched-off node passes its items to its first output alone', () => {
    const nodes = { Check: { ...IF, disabled: true } };
    assert.deepEqual(pathsOf(nodes, 'Clock > New orders > Check; Check.1 > Mail > Mark sent'), [UNMARKED]);
  });

  it('takes the longest way where branches meet again', () => {
    const flow = 'Clock > New orders > Check > Shape > Mail > Join; Check.1 > Join > Mark sent';
    assert.deepEqual(pathsOf({ Check: IF, Shape: SHAPE, Join: { type: 'merge' } }, flow), [path(4, true)]);
  });

  it('follows an error output', () => {
    const nodes = { Mail: { ...MAIL, onError: 'continueErrorOutput' }, 'Mark failed': MARK_ROW };
    assert.deepEqual(pathsOf(nodes, 'Clock > New orders > Mail > Mark sent; Mail.1 > Mark failed'), [
      path(1, true),
      path(1, true, 'Mark failed'),
    ]);
  });

  it('counts the effect of a branch that is drawn above the mark, since n8n runs it first', () => {
    const at = (node: Drawn, y: number): Drawn => ({ ...node, position: [600, y] });
    const beside = (mail: number, mark: number): readonly object[] =>
      pathsOf(
        { Mail: at(MAIL, mail), 'Mark sent': at(MARK_ROW, mark) },
        'Clock > New orders > Mail; New orders > Mark sent',
      );
    assert.deepEqual(beside(0, 200), [path(0, true)]);
    assert.deepEqual(beside(200, 0), [path(0, false)]);
  });

  it('sixty branchings in a row cost no more than sixty nodes', () => {
    const nodes: Record<string, Drawn> = {};
    const chains: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      nodes[`if${at}`] = IF;
      nodes[`a${at}`] = SHAPE;
      const next = at === 59 ? 'Mark sent' : `if${at + 1}`;
      chains.push(`if${at} > a${at} > ${next}`, `if${at}.1 > ${next}`);
    }
    assert.equal(
      auditOf({ nodes: { ...STORY.nodes, ...nodes }, flow: `Clock > New orders > if0; ${chains.join('; ')}` }).paths[0]
        ?.steps,
      120,
    );
  });
});

const CALLER: Drawing = {
  nodes: {
    Clock: HOURLY,
    'New orders': READ_ROWS,
    Work: { type: 'executeWorkflow', typeVersion: 1.1, parameters: { workflowId: { __rl: true, value: 'sub' } } },
  },
  flow: 'Clock > New orders > Work',
};
const CALLED: Drawing = {
  id: 'sub',
  name: 'Work one order',
  nodes: { Called: { type: 'executeWorkflowTrigger' }, Mail: MAIL, 'Mark sent': MARK_ROW },
  flow: 'Called > Mail > Mark sent',
};

describe('sub-workflows', () => {
  const pathOfCaller = (...others: readonly Drawing[]): object | undefined =>
    audit(draw(CALLER), ...others.map(draw)).workflows[0]?.paths[0];

  it('what a called workflow of the same input marks is marked, whatever the order of the files', () => {
    const expected = { read: 'New orders', firstWrite: 'Work', steps: 0, effectBeforeMark: true };
    assert.deepEqual(pathOfCaller(CALLED), expected);
    assert.deepEqual(audit(draw(CALLED), draw(CALLER)).workflows[1]?.paths, [expected]);
  });

  it('a called workflow that marks first has no effect before its mark', () => {
    assert.deepEqual(pathOfCaller({ ...CALLED, flow: 'Called > Mark sent > Mail' }), {
      read: 'New orders',
      firstWrite: 'Work',
      steps: 0,
      effectBeforeMark: false,
    });
  });

  it('is found by name where the file has no such id', () => {
    const named = {
      ...CALLER,
      nodes: {
        ...CALLER.nodes,
        Work: {
          type: 'executeWorkflow',
          parameters: { workflowId: { value: 'x', cachedResultName: 'Work one order' } },
        },
      },
    };
    assert.equal(audit(draw(named), draw({ ...CALLED, id: undefined })).workflows[0]?.paths[0]?.firstWrite, 'Work');
  });

  it('a run is open as long as its sub-workflow waits, unless it goes on without it', () => {
    const waits: Drawing = {
      id: 'sub',
      nodes: { Called: { type: 'executeWorkflowTrigger' }, W: { type: 'wait' } },
      flow: 'Called > W',
    };
    const waitOf = (options: object): number | undefined => {
      const call: Drawn = {
        type: 'executeWorkflow',
        typeVersion: 1.2,
        parameters: { workflowId: { value: 'sub' }, options },
      };
      return audit(draw({ nodes: { Clock: HOURLY, Call: call }, flow: 'Clock > Call' }), draw(waits)).workflows[0]
        ?.waitMs;
    };
    assert.deepEqual([waitOf({}), waitOf({ waitForSubWorkflow: false })], [3_600_000, 0]);
  });

  it('a run is open as long as what its sub-workflow runs in turn waits, also where they call each other', () => {
    const calling = (id: string, start: Drawn, callee: string): Record<string, unknown> =>
      draw({
        id,
        nodes: { Start: start, Call: { type: 'executeWorkflow', parameters: { workflowId: { value: callee } } } },
        flow: 'Start > Call',
      });
    const called: Drawn = { type: 'executeWorkflowTrigger' };
    const last = draw({ id: 'last', nodes: { Start: called, W: { type: 'wait' } }, flow: 'Start > W' });
    const waitOf = (...others: readonly unknown[]): number | undefined =>
      audit(calling('first', HOURLY, 'middle'), ...others).workflows[0]?.waitMs;
    assert.equal(waitOf(calling('middle', called, 'last'), last), 3_600_000);
    assert.equal(waitOf(calling('middle', called, 'first')), 0);
  });

  it('a called workflow that only reads is the read', () => {
    const reader: Drawing = {
      id: 'reader',
      nodes: { Called: { type: 'executeWorkflowTrigger' }, Rows: READ_ROWS },
      flow: 'Called > Rows',
    };
    const call: Drawn = { type: 'executeWorkflow', typeVersion: 1.2, parameters: { workflowId: { value: 'reader' } } };
    const master: Drawing = { nodes: { ...STORY.nodes, Search: call }, flow: 'Clock > Search > Mail > Mark sent' };
    assert.deepEqual(audit(draw(master), draw(reader)).workflows[0]?.paths, [
      { read: 'Search', firstWrite: 'Mark sent', steps: 1, effectBeforeMark: true },
    ]);
  });

  it('workflows that call each other in a circle end', () => {
    const call = (id: string): Drawn => ({
      type: 'executeWorkflow',
      typeVersion: 1.1,
      parameters: { workflowId: { value: id } },
    });
    const one = { ...CALLED, id: 'one', nodes: { ...CALLED.nodes, Next: call('two') }, flow: 'Called > Next > Mail' };
    const two = {
      ...CALLED,
      id: 'two',
      nodes: { ...CALLED.nodes, Next: call('one') },
      flow: 'Called > Next > Mark sent',
    };
    assert.equal(audit(draw(one), draw(two)).workflows.length, 2);
  });

  it('a workflow that is not in the input is unknown', () => {
    assert.deepEqual(pathOfCaller(), UNMARKED);
  });
});
