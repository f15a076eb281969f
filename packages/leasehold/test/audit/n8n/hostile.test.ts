/** Workflows that somebody wrote to keep the auditor busy: the time is that of the file's size, not of its square. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flowOf } from '../../../src/audit/graph/flow.ts';
import { readDefinition } from '../../../src/audit/readers/n8n-workflow/read-definition.ts';
import { audit, auditOf, cpuMsOf, draw, type Drawing, type Drawn, findingsOf, HOURLY } from './build.ts';
import { code, GUARD, MAIL, when } from './parts.ts';

const MS_MAX = 2_000;

function inTime(drawing: Drawing): void {
  const drawn = draw(drawing);
  const took = cpuMsOf(() => assert.equal(audit(drawn).workflows.length, 1));
  assert.ok(took < MS_MAX, `${took} ms`);
}

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${letter}${at}`);
const each = (names: readonly string[], node: Drawn): Record<string, Drawn> =>
  Object.fromEntries(names.map((name) => [name, node]));
const sql = (query: string): Drawn => ({
  type: 'postgres',
  typeVersion: 2.4,
  parameters: { operation: 'executeQuery', query },
});
const LOCK = 'select * from leasehold.acquire(1)';
const between = (thing: Drawn): Drawing => ({
  nodes: { Clock: HOURLY, Thing: thing, Mail: MAIL },
  flow: 'Clock > Thing > Mail',
});

describe('hostile workflows', () => {
  it('sixteen hundred mails before ten locks take the time of one walk each', () => {
    const mails = numbered('m', 1_600);
    const locks = numbered('g', 10);
    const nodes = { Clock: HOURLY, ...each(mails, MAIL), ...each(locks, GUARD) };
    inTime({ nodes, flow: ['Clock', ...mails, ...locks].join(' > ') });
  });

  it('a loop whose many ends would each lead to all that follows it counts as a plain node', () => {
    const body = numbered('b', 200);
    const done = numbered('d', 200);
    const to = (names: readonly string[]): object[] => names.map((node) => ({ node, type: 'main', index: 0 }));
    const back = { main: [to(['Loop'])] };
    const nodes = {
      Clock: HOURLY,
      Loop: { type: 'splitInBatches', typeVersion: 3 },
      ...each([...body, ...done], MAIL),
    };
    const connections = {
      Clock: { main: [to(['Loop'])] },
      Loop: { main: [to(done), to(body)] },
      ...Object.fromEntries(body.map((name) => [name, back])),
    };
    const definition = readDefinition(draw({ nodes, flow: '', connections }), 'file.json');
    assert.ok(definition !== null);
    const { next, loops } = flowOf(definition);
    assert.equal(loops.size, 0);
    assert.ok(next.flat().length <= definition.edges.length, `${next.flat().length}`);
  });

  it('a lock whose SQL says "where" over and over', () => inTime(between(sql(LOCK + ' where'.repeat(60_000)))));

  it('a type that says "lock" over and over', () => inTime(between({ type: `x.${'lock'.repeat(80_000)}!` })));

  it('a GraphQL query that begins with blanks', () =>
    inTime(between({ type: 'graphql', parameters: { query: `${' '.repeat(200_000)}x{{ $json.x }}` } })));

  it('code that returns blanks', () => inTime(between(code(`return${' '.repeat(190_000)}x`))));

  it('locks and code that asks for them over and over, with much in it', () => {
    const code190 = code(`if (items[0].json.proceed) return items; // ${'x'.repeat(190_000)}`);
    const nodes = {
      Clock: HOURLY,
      ...each(numbered('g', 100), sql(LOCK)),
      ...each(numbered('c', 100), code190),
      Mail: MAIL,
    };
    const flow = ['Clock', ...numbered('g', 100).flatMap((name, at) => [name, numbered('c', 100)[at] ?? '']), 'Mail'];
    inTime({ nodes, flow: flow.join(' > ') });
  });

  it('a condition of brackets and of nots', () => {
    for (const leftValue of [
      `={{ ${'('.repeat(90_000)}$json.proceed${')'.repeat(90_000)} }}`,
      `={{ ${'!'.repeat(1_900)}$json.proceed ${'|| $json.proceed '.repeat(5_000)} }}`,
    ]) {
      const nodes = { Clock: HOURLY, Lock: sql(LOCK), Got: when(leftValue, 'true'), Mail: MAIL };
      inTime({ nodes, flow: 'Clock > Lock > Got > Mail' });
    }
  });

  it('rows that are read, asked and set over and over, with much in them', () => {
    const get = sql(`select running from flags where id = 1 -- ${'y'.repeat(20_000)}`);
    const names = ['r', 'i', 'w'].map((letter) => numbered(letter, 400));
    const nodes = {
      Clock: HOURLY,
      ...each(names[0] ?? [], get),
      ...each(names[1] ?? [], { type: 'if' }),
      ...each(names[2] ?? [], sql('update flags set running = true where id = 1')),
    };
    const flow = (names[0] ?? []).flatMap((_name, at) => names.map((list) => list[at] ?? ''));
    inTime({ nodes, flow: ['Clock', ...flow].join(' > ') });
  });

  it('of hundreds of locks that nothing asks ten are told of', () => {
    const locks = numbered('g', 300);
    const nodes = { Clock: HOURLY, ...each(locks, sql(LOCK)), Mail: MAIL };
    const flow = ['Clock', ...locks, 'Mail'].join(' > ');
    const unasked = findingsOf({ nodes, flow }, 'guard.fails-open').filter(({ message }) =>
      /Nothing asks/.test(message),
    );
    assert.equal(unasked.length, 10);
  });

  it('a lock behind a mail that another lock stands before keeps something out', () => {
    const nodes = { Clock: HOURLY, First: GUARD, Mail: MAIL, Second: GUARD };
    const late = (flow: string): number =>
      auditOf({ nodes, flow }).findings.filter(({ message }) => /stands behind "Mail"/.test(message)).length;
    assert.equal(late('Clock > First > Mail > Second'), 0);
    assert.equal(late('Clock > Mail > Second'), 1);
  });
});
