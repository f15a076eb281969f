/** JSON of any form and size: what is cut out of it, what is known, and what is said of the rest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JsonSplitter } from '../../../src/audit/readers/json/splitter.ts';
import { pieces, readFile, readFolder, readPiped, spans, the } from './stage.ts';

const row = (at: number): { start: string; end: string; note: string } => ({
  start: new Date(Date.UTC(2026, 2, 1, at)).toISOString(),
  end: new Date(Date.UTC(2026, 2, 1, at, 20)).toISOString(),
  note: 'a "quoted", {braced} [text] \\ with \n all',
});
const ROWS = Array.from({ length: 5 }, (_, at) => row(at));
const SPANS = ROWS.map((_, at) => `2026-03-01T0${at}:00:00Z..0${at}:20:00Z`);

/** What the splitter hands over of this text, in pieces of this size; what is no JSON is null. */
function split(text: string, pieceBytes: number): { readonly values: unknown[]; readonly isWhole: boolean } {
  const values: unknown[] = [];
  const splitter = new JsonSplitter({
    value: (part) => {
      try {
        values.push(JSON.parse(part));
        return true;
      } catch {
        return false;
      }
    },
    tooLarge: () => values.push('too large'),
  });
  for (const piece of pieces(Buffer.from(text), pieceBytes)) splitter.push(piece);
  return { isWhole: splitter.end(), values };
}

const isBox = (value: unknown): boolean => typeof value === 'object' && value !== null;
const anyJson = fc.jsonValue({ maxDepth: 4 });

describe('the splitter', () => {
  it('hands over the entries of any list, wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(anyJson), fc.integer({ min: 1, max: 40 }), fc.boolean(), (list, pieceBytes, isPretty) => {
        const { values, isWhole } = split(JSON.stringify(list, null, isPretty ? 2 : 0), pieceBytes);
        assert.deepEqual(values, JSON.parse(JSON.stringify(list.filter(isBox))));
        assert.ok(isWhole);
      }),
    );
  });

  it('hands over objects that follow one another, with or without anything between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), anyJson)),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('', '\n', ' ', '\r\n\r\n', ','),
        (objects, pieceBytes, between) => {
          const { values } = split(objects.map((value) => JSON.stringify(value)).join(between), pieceBytes);
          assert.deepEqual(values, JSON.parse(JSON.stringify(objects)));
        },
      ),
    );
  });

  it('of a list that is cut short hands over what was whole, also in a wrapper', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), anyJson), { minLength: 1 }),
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (list, isWrapped, share, pieceBytes) => {
          const text = JSON.stringify(isWrapped ? { next: 'x]}', data: list } : list);
          const kept = text.slice(0, Math.floor(share * (text.length - 1)));
          const { values, isWhole } = split(kept, pieceBytes);
          assert.deepEqual(values, JSON.parse(JSON.stringify(list.slice(0, values.length))));
          assert.equal(isWhole, kept.length === 0);
        },
      ),
    );
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', ' ', 'a'), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (characters, pieceBytes) => void split(characters.join(''), pieceBytes),
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a history in JSON', () => {
  for (const [form, text] of [
    ['a list', JSON.stringify(ROWS)],
    ['a printed list', JSON.stringify(ROWS, null, 2)],
    ['one object a line', ROWS.map((each) => JSON.stringify(each)).join('\n')],
    ['one object a line, with blank lines', ROWS.map((each) => `${JSON.stringify(each)}\r\n\r\n`).join('')],
    ['printed objects, one after the other', ROWS.map((each) => JSON.stringify(each, null, 2)).join('\n')],
    ['a wrapper', JSON.stringify({ count: 5, data: ROWS, nextCursor: null })],
    ['a wrapper in a wrapper', JSON.stringify({ response: { data: { results: ROWS } } }, null, 2)],
    ['a wrapper a line', ROWS.map((each) => JSON.stringify({ page: 1, runs: [each] })).join('\n')],
    ['a list of wrappers', JSON.stringify(ROWS.map((each) => ({ items: [each] })))],
  ] as const) {
    it(`as ${form} gives the same runs, in pieces of any size`, async (test) => {
      assert.deepEqual(spans(await readFile(test, 'runs', text)), SPANS);
      assert.deepEqual(spans(await readPiped(text, 5)), SPANS);
    });
  }

  it('calls a row by its line or entry where it has no id', async () => {
    const lines = await readPiped(ROWS.map((each) => JSON.stringify(each)).join('\n'));
    assert.deepEqual(lines.runs.map(({ runId }) => runId).slice(0, 2), ['line 1', 'line 2']);
    const list = await readPiped(JSON.stringify(ROWS));
    assert.deepEqual(list.runs.map(({ runId }) => runId).slice(0, 2), ['entry 1', 'entry 2']);
  });

  it('finds fields in objects of the row', async () => {
    const [{ start, end }] = ROWS as [(typeof ROWS)[0]];
    const value = { id: 7, workflow: { id: 3, name: 'Sync' }, timing: { startedAt: start, finishedAt: end } };
    const run = the((await readPiped(JSON.stringify(value))).runs);
    assert.deepEqual([run.runId, run.workflow, run.workflowName], ['7', '3', 'Sync']);
    assert.equal(run.endedAtMs, Date.parse(end));
  });
});

describe('broken JSON', () => {
  it('of lines is told by its line, and the rest counts', async () => {
    const lines = ROWS.map((each) => JSON.stringify(each));
    const found = await readPiped([...lines.slice(0, 2), '{"start": oops}', ...lines.slice(2)].join('\n'));
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, ['-:3: Not JSON: left out.']);
  });

  it('of a list is told by its entry, and the rest counts', async () => {
    const entries = ROWS.map((each) => JSON.stringify(each));
    const found = await readPiped(`[${[...entries.slice(0, 2), '{"start": oops}', ...entries.slice(2)].join(',\n')}]`);
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(found.unread, ['-: Entry 3: Not JSON: left out.']);
  });

  it('that ends in the middle says where', async (test) => {
    const lines = ROWS.map((each) => JSON.stringify(each)).join('\n');
    const cut = await readPiped(lines.slice(0, -20));
    assert.deepEqual([cut.runs.length, cut.unread], [4, ['-: Cut short in line 5: what came before it was read.']]);
    for (const text of [
      JSON.stringify(ROWS),
      JSON.stringify({ data: ROWS }),
      JSON.stringify({ data: ROWS }, null, 1),
    ]) {
      const found = await readFile(test, 'a.json', text.slice(0, -40));
      assert.deepEqual(spans(found), SPANS.slice(0, 4));
      assert.deepEqual(found.unread, ['a.json: Cut short after entry 4: what came before that was read.']);
    }
  });

  it('before its first entry is said to be so where it was named, and is one of many in a folder', async (test) => {
    const text = '{"data":[{"start":"2026-03';
    assert.deepEqual((await readFile(test, 'a.json', text)).unread, [
      'a.json: Cut short, and nothing in it is whole, so nothing of it was read; export it again.',
    ]);
    assert.deepEqual((await readFolder(test, { 'a.json': text })).unread, [
      '.: One file is not a history or a workflow (1 .json).',
    ]);
  });

  it('of which a thousand lines are bad shows the first of them', async () => {
    const bad = Array.from({ length: 1_000 }, () => '{"start": oops}');
    const found = await readPiped([JSON.stringify(row(0)), ...bad, JSON.stringify(row(1))].join('\n'));
    assert.equal(found.runs.length, 2);
    assert.equal(found.unread.length, 6);
    assert.equal(found.unread[5], '-: 995 more places like these.');
  });

  it('that is no UTF-8 is told by its line', async () => {
    const bytes = Buffer.from(`${JSON.stringify({ ...row(0), job: 'Büro' })}\n${JSON.stringify(row(1))}`, 'latin1');
    const found = await readPiped(bytes);
    assert.deepEqual(found.unread, ['-:1: Not UTF-8: unreadable characters were replaced.']);
    assert.equal(found.runs.length, 2);
  });

  it('with other things beside the runs counts those', async () => {
    const found = await readPiped(JSON.stringify([row(0), { hello: 1 }, { world: [2] }]));
    assert.deepEqual([found.runs.length, found.unread], [1, ['-: 2 entries left out: neither runs nor workflows.']]);
  });
});

describe('executions of n8n', () => {
  const execution = {
    id: 7,
    workflowId: 'wf',
    startedAt: '2026-03-01T10:00:00.000Z',
    stoppedAt: '2026-03-01T10:20:00.000Z',
  };
  const runOf = async (given: object): ReturnType<typeof readPiped> =>
    readPiped(JSON.stringify([{ ...execution, ...given }]));

  it('are known in each shape, with numbers for ids and without a status', async () => {
    for (const wrap of [
      (all: object[]): unknown => all,
      (all: object[]): unknown => ({ data: all, nextCursor: 'x' }),
      (all: object[]): unknown => ({ data: { count: 1, results: all, estimated: false } }),
      (all: object[]): unknown => ({ results: all }),
      ([one]: object[]): unknown => one,
      ([one]: object[]): unknown => ({ data: one }),
    ]) {
      const run = the(
        (await readPiped(JSON.stringify(wrap([{ ...execution, finished: true, mode: 'trigger' }])))).runs,
      );
      assert.deepEqual(
        [run.workflow, run.runId, run.state, run.result, run.cause],
        ['wf', '7', 'ended', 'success', 'trigger'],
      );
    }
  });

  for (const [mode, cause] of [
    ['trigger', 'trigger'],
    ['webhook', 'webhook'],
    ['chat', 'webhook'],
    ['manual', 'manual'],
    ['cli', 'manual'],
    ['evaluation', 'manual'],
    ['retry', 'retry'],
    ['integrated', 'sub-workflow'],
    ['internal', 'sub-workflow'],
    ['error', 'sub-workflow'],
    ['something new', 'unknown'],
    ['constructor', 'unknown'],
  ] as const) {
    it(`of the mode ${mode} were started by ${cause}`, async () => {
      assert.equal(the((await runOf({ mode, status: 'success', retryOf: '5' })).runs).cause, cause);
    });
  }

  for (const [given, state, result] of [
    [{ status: 'waiting', waitTill: '2026-04-01T00:00:00Z' }, 'waiting', 'unknown'],
    [{ status: 'new', startedAt: null, stoppedAt: null }, 'queued', 'unknown'],
    [{ status: 'running', stoppedAt: null }, 'running', 'unknown'],
    [{ status: 'crashed' }, 'ended', 'crashed'],
    [{ status: 'canceled' }, 'ended', 'cancelled'],
    [{ status: 'error', finished: false }, 'ended', 'failure'],
    [{ finished: false, mode: 'trigger' }, 'ended', 'failure'],
    [{ finished: false, mode: 'trigger', stoppedAt: null }, 'running', 'unknown'],
    [{ finished: false, mode: 'trigger', waitTill: '2026-04-01T00:00:00Z' }, 'waiting', 'unknown'],
  ] as const) {
    it(`${JSON.stringify(given)} are ${state}, with the result ${result}`, async () => {
      const run = the((await runOf(given)).runs);
      assert.deepEqual([run.state, run.result], [state, result]);
      if (state !== 'ended') assert.equal(run.endedAtMs, null);
    });
  }

  it('bring their workflow along, the newest of each once', async () => {
    const workflowData = (name: string): object => ({
      id: 'wf',
      name,
      nodes: [
        {
          id: '1',
          name: 'Start',
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
        },
      ],
      connections: {},
    });
    const found = await readPiped(
      JSON.stringify([
        {
          ...execution,
          mode: 'manual',
          workflowId: undefined,
          startedAt: '2026-03-02T00:00:00Z',
          workflowData: workflowData('new'),
        },
        { ...execution, mode: 'manual', workflowId: undefined, workflowData: workflowData('old') },
      ]),
    );
    assert.deepEqual(
      found.runs.map(({ workflow, workflowName }) => [workflow, workflowName]),
      [
        ['wf', 'new'],
        ['wf', 'old'],
      ],
    );
    assert.deepEqual(
      found.workflows.map(({ id, name }) => [id, name]),
      [['wf', 'new']],
    );
  });

  it('bring it as a text too, as a query of the database by hand gives it', async () => {
    const node = { name: 'A', type: 'n8n-nodes-base.noOp', position: [0, 0] };
    const workflowData = JSON.stringify({ id: 'wf', name: 'Orders', nodes: [node], connections: {} });
    const found = await readPiped(JSON.stringify([{ ...execution, workflowId: undefined, workflowData }]));
    assert.deepEqual([the(found.runs).workflow, the(found.workflows).id], ['wf', 'wf']);
  });

  it('may have times without a zone, or in seconds, as such a query gives them', async () => {
    const naive = { ...execution, startedAt: '2026-03-01 11:00:00.000', stoppedAt: '2026-03-01 11:20:00.000' };
    const local = await readPiped(JSON.stringify([naive]), 99, { timezone: 'Europe/Berlin' });
    assert.deepEqual(spans(local), ['2026-03-01T10:00:00Z..10:20:00Z']);
    assert.deepEqual(local.limits, ['2 times without a time zone, read as local time of Europe/Berlin.']);
    const seconds = { ...execution, startedAt: 1_772_359_200, stoppedAt: '1772360400000' };
    assert.deepEqual(spans(await readPiped(JSON.stringify([seconds]))), ['2026-03-01T10:00:00Z..10:20:00Z']);
  });

  it('and workflows of n8n may stand in one file', async () => {
    const workflow = {
      id: 'w',
      name: 'W',
      nodes: [{ name: 'A', type: 'n8n-nodes-base.noOp', position: [0, 0] }],
      connections: {},
    };
    const found = await readPiped(
      JSON.stringify({ workflows: [workflow], executions: [{ ...execution, mode: 'trigger' }] }),
    );
    assert.deepEqual([found.workflows.length, found.runs.length], [1, 1]);
  });

  it('of its event log are put together from their lines', async () => {
    const event = (eventName: string, executionId: string, time: string, given: object = {}): string =>
      JSON.stringify({
        __type: '$$EventMessageWorkflow',
        ts: `2026-03-01T${time}.000-07:00`,
        eventName: `n8n.workflow.${eventName}`,
        payload: { executionId, workflowId: 'wf', workflowName: 'Sync', isManual: false, ...given },
      });
    const found = await readPiped(
      [
        event('success', '6', '02:59:00'),
        event('started', '7', '03:00:00'),
        event('started', '8', '03:05:00', { isManual: true }),
        event('failed', '7', '03:20:00'),
        event('started', '9', '04:00:00'),
        JSON.stringify({ ts: 'x', eventName: 'n8n.node.started', payload: {} }),
        event('crashed', '8', '03:21:00'),
      ].join('\n'),
    );
    assert.deepEqual(
      found.runs.map(({ runId, cause, state, result }) => [runId, cause, state, result]),
      [
        ['6', 'unknown', 'ended', 'success'],
        ['7', 'unknown', 'ended', 'failure'],
        ['8', 'manual', 'ended', 'crashed'],
        ['9', 'unknown', 'running', 'unknown'],
      ],
    );
    assert.equal(found.runs[0]?.startedAtMs, null);
    assert.equal(spans(found)[1], '2026-03-01T10:00:00Z..10:20:00Z');
  });

  it('of two times beside what is of no run is no history, and of two times alone or with a run is one', async (test) => {
    const span = { from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:20:00Z' };
    const countOf = async (entry: object): Promise<number> =>
      (await readFolder(test, { 'a.json': JSON.stringify([entry, entry]) })).runs.length;
    assert.equal(await countOf({ zone: 'Europe/Berlin', expression: '30 2 * * *', ...span, starts: [span.from] }), 0);
    assert.equal(await countOf({ ...span, room: 'Blue' }), 0);
    assert.equal(await countOf(span), 2);
    assert.equal(await countOf({ ...span, job: 'sync' }), 2);
  });
});
