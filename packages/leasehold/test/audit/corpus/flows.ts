/** Loops, branches, waits, sub-workflows and errors: how many nodes lie between read and mark, by each way. */
import { type Drawn, draw, HOURLY } from '../n8n/build.ts';
import { MAIL, MARK_ROW, READ_ROWS, SHAPE } from '../n8n/parts.ts';
import { DAY, type Known, type KnownPath, MINUTE, n8n, type Sample } from './corpus.ts';
import { guarded, STORY_FINDS } from './parts.ts';

const IF: Drawn = { type: 'if', typeVersion: 2.2 };
const LOOP: Drawn = { type: 'splitInBatches', typeVersion: 3 };
const OLD_LOOP: Drawn = { type: 'splitInBatches', typeVersion: 2 };
const SLACK: Drawn = { type: 'slack', typeVersion: 2.2 };
const off = (node: Drawn): Drawn => ({ ...node, disabled: true });
const wait = (parameters: Record<string, unknown>): Drawn => ({ type: 'wait', typeVersion: 1.1, parameters });
const call = (id: string): Drawn => ({
  type: 'executeWorkflow',
  typeVersion: 1.2,
  parameters: { workflowId: { __rl: true, value: id }, options: {} },
});

/** The story with other nodes and another way through them. */
function way(
  name: string,
  nodes: Readonly<Record<string, Drawn>>,
  flow: string,
  paths: readonly KnownPath[],
  given: Partial<Known> = {},
): Sample {
  return guarded(name, nodes, flow, { finds: STORY_FINDS, paths, ...given });
}

const to = (steps: number, effect = true, mark = 'Mark'): KnownPath => ['Read', mark, steps, effect];
/** Marked with nothing irrevocable before it. */
const EARLY: Partial<Known> = { finds: ['window.read-to-write warning', 'guard.missing warning'] };
const AT_ONCE: Partial<Known> = { finds: ['guard.missing warning'] };
/** A mark that only settles: nothing is sent at all. */
const SILENT: Partial<Known> = { finds: [] };
const OPEN: Partial<Known> = { finds: ['window.no-status-write warning', 'guard.missing warning'] };

/** Where no history tells how long a run takes, a lease lasts two gaps and a minute, and the wait on top. */
const WAYS: readonly Sample[] = [
  way('a-straight-line', {}, 'Clock > Read > Mail > Mark', [to(1)]),
  way('three-between', { A: SHAPE, B: SHAPE }, 'Clock > Read > A > Mail > B > Mark', [to(3)]),
  way('nothing-between', {}, 'Clock > Read > Mark > Mail', [to(0, false)], AT_ONCE),
  way(
    'work-before-the-mark-and-mail-after',
    { A: SHAPE, B: SHAPE },
    'Clock > Read > A > B > Mark > Mail',
    [to(2, false)],
    EARLY,
  ),
  way('a-mark-inside-the-loop', { Loop: LOOP }, 'Clock > Read > Loop; Loop.1 > Mail > Mark > Loop', [to(2)]),
  way('a-mark-behind-the-loop', { Loop: LOOP }, 'Clock > Read > Loop; Loop.1 > Mail > Loop; Loop.0 > Mark', [to(2)]),
  way('an-older-loop', { Loop: OLD_LOOP }, 'Clock > Read > Loop; Loop.0 > Mail > Mark > Loop', [to(2)]),
  way(
    'an-older-loop-with-its-mark-behind',
    { Loop: OLD_LOOP },
    'Clock > Read > Loop; Loop.0 > Mail > Loop; Loop.1 > Mark',
    [to(2)],
  ),
  way(
    'a-mark-first-in-the-loop',
    { Loop: LOOP },
    'Clock > Read > Loop; Loop.1 > Mark > Mail > Loop',
    [to(1, false)],
    EARLY,
  ),
  way(
    'a-loop-in-a-loop',
    { Outer: LOOP, Inner: LOOP },
    'Clock > Read > Outer; Outer.1 > Inner; Inner.1 > Mail > Inner; Inner.0 > Mark > Outer',
    [to(3)],
  ),
  way('a-loop-that-is-switched-off', { Loop: off(LOOP) }, 'Clock > Read > Loop; Loop.0 > Mail > Mark', [to(1)]),
  way(
    'two-branches-with-a-mark-each',
    { Check: IF, Skip: MARK_ROW },
    'Clock > Read > Check > Mail > Mark; Check.1 > Skip',
    [to(2), to(1, false, 'Skip')],
  ),
  way('a-branch-that-ends', { Check: IF }, 'Clock > Read > Check > Mail > Mark; Check.1 > End', [to(2)], {}),
  way(
    'branches-that-meet',
    { Check: IF, A: SHAPE, Join: { type: 'merge' } },
    'Clock > Read > Check > A > Mail > Join; Check.1 > Join > Mark',
    [to(4)],
  ),
  way(
    'a-switch-of-three',
    { Which: { type: 'switch', typeVersion: 3 }, A: MARK_ROW, B: MARK_ROW, SMS: { type: 'twilio' } },
    'Clock > Read > Which > Mail > Mark; Which.1 > SMS > A; Which.2 > B',
    [to(2), to(2, true, 'A'), to(1, false, 'B')],
  ),
  way(
    'an-error-output',
    { Mail: { ...MAIL, onError: 'continueErrorOutput' }, Failed: MARK_ROW },
    'Clock > Read > Mail > Mark; Mail.1 > Failed',
    [to(1), to(1, true, 'Failed')],
  ),
  way(
    'a-mail-that-goes-on-when-it-fails',
    { Mail: { ...MAIL, onError: 'continueRegularOutput' } },
    'Clock > Read > Mail > Mark',
    [to(1)],
  ),
  way('a-mail-that-is-switched-off', { Mail: off(MAIL) }, 'Clock > Read > Mail > Mark', [to(0, false)], SILENT),
  way(
    'a-mark-that-is-switched-off',
    { Mark: off(MARK_ROW) },
    'Clock > Read > Mail > Mark',
    [['Read', null, null, true]],
    OPEN,
  ),
  way('a-read-that-is-switched-off', { Read: off(READ_ROWS) }, 'Clock > Read > Mail > Mark', [], {
    finds: ['guard.missing info'],
  }),
  way(
    'a-mail-on-a-branch-of-its-own-above',
    { Mail: { ...MAIL, position: [600, 0] }, Mark: { ...MARK_ROW, position: [600, 200] } },
    'Clock > Read > Mail; Read > Mark',
    [to(0)],
    { finds: ['window.effect-before-mark critical', 'guard.missing warning'] },
  ),
  way(
    'a-mail-on-a-branch-of-its-own-below',
    { Mail: { ...MAIL, position: [600, 200] }, Mark: { ...MARK_ROW, position: [600, 0] } },
    'Clock > Read > Mail; Read > Mark',
    [to(0, false)],
    AT_ONCE,
  ),
  way('two-mails', { Say: SLACK }, 'Clock > Read > Mail > Say > Mark', [to(2)]),
  way('one-mail-before-and-one-behind', { Say: SLACK }, 'Clock > Read > Mail > Mark > Say', [to(1)]),
  way(
    'a-circle-without-a-loop-node',
    { Check: IF, Rest: wait({}) },
    'Clock > Read > Check > Rest > Check; Check.1 > Mail > Mark',
    [to(2)],
  ),
  way('a-wait-between', { Rest: wait({ amount: 10, unit: 'minutes' }) }, 'Clock > Read > Rest > Mail > Mark', [to(2)], {
    leaseMs: 131 * MINUTE,
  }),
  way('nothing-is-sent', { A: SHAPE }, 'Clock > Read > A > Mark', [to(1, false)], {
    finds: ['window.read-to-write warning'],
  }),
  way('two-reads-one-mark', { Again: READ_ROWS }, 'Clock > Read > Again > Mail > Mark', [
    to(2),
    ['Again', 'Mark', 1, true],
  ]),
  way('two-clocks-one-way', { Other: HOURLY }, 'Clock > Read > Mail > Mark; Other > Read', [to(1)], {
    finds: [...STORY_FINDS, 'trigger.duplicate warning'],
  }),
  way('a-read-that-nothing-reaches', { Lost: READ_ROWS }, 'Clock > Read > Mail > Mark; Lost > Mark', [to(1)]),
  way('names-with-dots-and-accents', { 'Préparer le mél': SHAPE }, 'Clock > Read > Préparer le mél > Mail > Mark', [
    to(2),
  ]),
];

const called = (flow: string): Record<string, unknown> =>
  draw({
    id: 'called',
    name: 'Called',
    nodes: {
      Called: { type: 'executeWorkflowTrigger' },
      Mail: MAIL,
      ...(flow.includes('Mark') ? { Mark: MARK_ROW } : {}),
    },
    flow,
  });

function calling(name: string, callee: Record<string, unknown> | null, known: Known): Sample {
  const nodes = { Clock: HOURLY, Read: READ_ROWS, Work: call('called') };
  const files = callee === null ? {} : { 'called.json': callee };
  return n8n(name, { nodes, flow: 'Clock > Read > Work' }, known, { files });
}

const CALLS: readonly Sample[] = [
  calling('a-sub-workflow-that-sends-and-marks', called('Called > Mail > Mark'), {
    finds: ['window.effect-before-mark critical', 'guard.missing warning'],
    paths: [['Read', 'Work', 0, true]],
  }),
  calling('a-sub-workflow-that-marks-and-sends', called('Called > Mark > Mail'), {
    finds: ['guard.missing warning'],
    paths: [['Read', 'Work', 0, false]],
  }),
  calling('a-sub-workflow-that-only-sends', called('Called > Mail'), {
    finds: ['window.no-status-write warning', 'guard.missing warning'],
    paths: [['Read', null, null, true]],
  }),
  // Not in the input: it may do anything.
  calling('a-sub-workflow-that-is-not-here', null, {
    finds: ['guard.missing info'],
    paths: [['Read', null, null, false]],
    says: { 'guard.missing': /It can't be told what "Work" does/ },
  }),
];

/** A wait keeps a run open: the lease has to span it. */
const WAITS: readonly Sample[] = [
  n8n(
    'a-wait-of-two-days',
    { nodes: { Clock: HOURLY, Rest: wait({ amount: 2, unit: 'days' }) }, flow: 'Clock > Rest' },
    { finds: ['overlap.predicted critical'], leaseMs: 2 * DAY + 121 * MINUTE },
  ),
];

export const FLOWS: readonly Sample[] = [...WAYS, ...CALLS, ...WAITS];
