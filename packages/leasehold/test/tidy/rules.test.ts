/** Negative controls: each rule of the tidy test is shown a tree that breaks it, and a neighbour that doesn't. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrowFindings } from './arrows.ts';
import { callFindings } from './calls.ts';
import { exportFindings } from './exports.ts';
import { messageFindings } from './messages.ts';
import { nameFindings, storeFindings } from './names.ts';
import { reachFindings } from './reach.ts';
import { reportFindings } from './reports.ts';
import { sizeFindings } from './sizes.ts';
import { codeOf, importsOf } from './source-text.ts';
import type { Finding, Tree } from './tree.ts';
import { wordFindings } from './words.ts';

const SOURCE = 'packages/leasehold/src/';

/** A tree of source files, named relative to `src`. */
function source(files: Record<string, string>): Tree {
  return new Map(Object.entries(files).map(([path, text]) => [`${SOURCE}${path}`, text]));
}

/** One finding, which matches; asserts that there is no other. */
function assertOne(findings: readonly Finding[], expected: RegExp): void {
  assert.equal(findings.length, 1, `expected one finding like ${expected}, got:\n${findings.join('\n') || '(none)'}`);
  assert.match(findings[0] ?? '', expected);
}

describe('source text', () => {
  it('blanks comments, strings, templates and regular expressions, and nothing else', () => {
    const text =
      "const a = 'Date.now()'; // Date.now()\nconst b = `x ${f({ y: 1 })} Date.now()`; /* Date.now() */ const c = /Date.now()/;";
    const code = codeOf(text);
    assert.equal(code.length, text.length);
    assert.doesNotMatch(code, /Date/);
    assert.match(code, /const a = '.*';/);
    assert.match(code, /\$\{f\(\{ y: 1 \}\)\}/);
  });

  it('sees code after a quote in a comment, a slash in a class and a division', () => {
    assert.match(codeOf("// it's\nDate.now();"), /Date\.now/);
    assert.match(codeOf('const r = /[/\'"]/; Date.now();'), /Date\.now/);
    assert.match(codeOf("const half = a / 2; const s = 'x'; Date.now(); const t = b / 2;"), /Date\.now/);
    assert.match(
      codeOf('const t = `${a}`; Date.now(); const u = `${`${b}`}`; Math.random();'),
      /Date\.now.*Math\.random/,
    );
  });

  it('finds every form of import, with its line', () => {
    const text = [
      "import a from './a.ts';",
      "import type { B } from './b.ts';",
      "import './c.ts';",
      "export { d } from './d.ts';",
      "export * from './e.ts';",
      "const f = await import('./f.ts');",
      "let g: typeof import('./g.ts');",
      'import {\n  type H,\n  h,\n} from "./h.ts";',
      "// import './no.ts'",
      'const text = "import \'./no.ts\'";',
    ].join('\n');
    const found = importsOf(text).map(({ specifier, line }) => `${specifier}:${line}`);
    const lines = ['a.ts:1', 'b.ts:2', 'c.ts:3', 'd.ts:4', 'e.ts:5', 'f.ts:6', 'g.ts:7', 'h.ts:11'];
    assert.deepEqual(
      found,
      lines.map((line) => `./${line}`),
    );
  });
});

describe('arrows', () => {
  const forbidden: [string, string][] = [
    ['domain/acquire.ts', "import type { Store } from '../ports/store.ts';"],
    ['domain/acquire.ts', "import { readFileSync } from 'node:fs';"],
    ['ports/store.ts', "export { run } from '../engine/run.ts';"],
    ['engine/run.ts', "const { open } = await import('../stores/sqlite/store.ts');"],
    ['engine/run.ts', "import { systemClock } from '../platform/system-clock.ts';"],
    ['stores/sqlite/store.ts', "import { run } from '../../engine/run.ts';"],
    ['stores/sqlite/store.ts', "import { rows } from '../postgres/rows.ts';"],
    ['stores/sql-blocks.ts', "import { rows } from './postgres/rows.ts';"],
    ['stores/sqlite/store.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['stores/postgres/rows.ts', "import type pg from 'pg';"],
    ['engine/wait.ts', "import { setTimeout } from 'node:timers/promises';"],
    ['engine/wait.ts', "import { Command } from 'commander';"],
    ['cli/commands/run.ts', "import { host } from '../../platform/command-host.ts';"],
    ['cli/commands/run.ts', "import { serve } from '../../server/serve.ts';"],
    ['cli/commands/run.ts', "import { openLeasehold } from '../../index.ts';"],
    ['cli/commands/run.ts', "import _ from 'lodash/fp';"],
    ['testing/stage.ts', "import { open } from '../stores/sqlite/store.ts';"],
    ['testing/stage.ts', "import { open } from '../../test/postgres.ts';"],
    ['mail/send.ts', "import { run } from '../engine/run.ts';"],
  ];
  for (const [file, text] of forbidden) {
    it(`stop in ${file}: ${text}`, () => assertOne(arrowFindings(source({ [file]: text })), new RegExp(`${file}:1: `)));
  }

  const allowed: [string, string][] = [
    ['domain/acquire.ts', "import { LeaseholdError } from '../errors.ts';"],
    ['stores/sqlite/driver.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['stores/sqlite/store.ts', "import { blocks } from '../sql-blocks.ts';"],
    ['cli/commands/run.ts', "import { Command } from 'commander';"],
    ['cli/main.ts', "import { host } from '../platform/command-host.ts';"],
    ['index.ts', "export { openLeasehold } from './open-leasehold.ts';"],
  ];
  for (const [file, text] of allowed) {
    it(`let pass in ${file}: ${text}`, () => assert.deepEqual(arrowFindings(source({ [file]: text })), []));
  }
});

describe('banned calls', () => {
  const forbidden = [
    'const now = Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const now = Date();',
    'const at = performance.now();',
    'const at = hrtime.bigint();',
    'setTimeout(go, 5);',
    'const timer = setInterval(go, 5);',
    'setImmediate(go);',
    'const signal = AbortSignal.timeout(5);',
    'const chance = Math.random();',
    'const id = crypto.randomUUID();',
    'const home = process.env;',
    "const home = process['env'];",
    'console.log(1);',
    'const text = `${Date.now()}`;',
  ];
  for (const text of forbidden) {
    it(`are found: ${text}`, () => assertOne(callFindings(source({ 'engine/a.ts': text })), /engine\/a\.ts:1: /));
  }

  it('are found in code only, and not where they belong', () => {
    const harmless =
      "// Date.now()\nconst at = new Date(5); ids.random(); this.#process.stop(); clock.setTimeout(5); const s = 'process.env';";
    assert.deepEqual(callFindings(source({ 'engine/a.ts': harmless })), []);
    const ofPlatform = forbidden.filter((text) => !text.startsWith('console')).join('\n');
    assert.deepEqual(callFindings(source({ 'platform/a.ts': ofPlatform })), []);
    assertOne(callFindings(source({ 'platform/a.ts': 'console.log(1);' })), /"console\."/);
    assert.deepEqual(callFindings(source({ 'cli/a.ts': 'console.log(1);' })), []);
  });
});

describe('sizes', () => {
  const lines = (count: number): string => 'x\n'.repeat(count);

  it('a source file of 251 lines is too long, SQL included, one of 250 is not', () => {
    const short = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`engine/a${index}.ts`, lines(5)]));
    assert.deepEqual(sizeFindings(source({ ...short, 'engine/b.ts': lines(250) })), []);
    assertOne(sizeFindings(source({ ...short, 'engine/b.ts': lines(251) })), /engine\/b\.ts: 251 lines/);
    assertOne(sizeFindings(source({ ...short, 'stores/b.sql': lines(251) })), /stores\/b\.sql: 251 lines/);
  });

  it('a test of 401 lines is too long', () => {
    assertOne(sizeFindings(new Map([['packages/leasehold/test/a.test.ts', lines(401)]])), /401 lines/);
  });

  it('more than a third of long files is too much', () => {
    assertOne(sizeFindings(source({ 'a.ts': lines(151), 'b.ts': lines(9) })), /1 of 2 source files/);
    assert.deepEqual(sizeFindings(source({ 'a.ts': lines(151), 'b.ts': lines(9), 'c.ts': lines(9) })), []);
  });
});

describe('names', () => {
  it('folders and files that can hold anything are found, and names that are not kebab-case', () => {
    assertOne(nameFindings(source({ 'utils/a.ts': '' })), /"utils"/);
    assertOne(nameFindings(source({ 'engine/helper.ts': '' })), /"helper"/);
    assertOne(nameFindings(source({ 'engine/types.ts': '' })), /"types"/);
    assertOne(nameFindings(source({ 'engine/lockName.ts': '' })), /kebab-case/);
    assert.deepEqual(
      nameFindings(source({ 'engine/lock-name.test.ts': '', 'stores/0001-lock/01-tables.sql': '' })),
      [],
    );
  });

  it('a file that one store has and the other lacks is found, and so is a needless exception', () => {
    const tree = source({ 'stores/sqlite/a.ts': '', 'stores/postgres/a.ts': '', 'stores/postgres/b.ts': '' });
    assertOne(storeFindings(tree, {}), /stores\/postgres\/b\.ts/);
    assert.deepEqual(storeFindings(tree, { 'postgres/b.ts': 'for a reason' }), []);
    assertOne(storeFindings(tree, { 'postgres/b.ts': 'for a reason', 'sqlite/a.ts': 'none' }), /needs no exception/);
  });
});

describe('reach', () => {
  it('a file that nothing imports is found, also where its own test does, and also in a circle', () => {
    const tree = new Map([
      ...source({ 'index.ts': "export { a } from './a.ts';", 'a.ts': '', 'alone.ts': '' }),
      ['packages/leasehold/test/alone.test.ts', "import '../src/alone.ts';"],
    ]);
    assertOne(reachFindings(tree), /src\/alone\.ts/);
    const circle = source({ 'index.ts': '', 'b.ts': "import './c.ts';", 'c.ts': "import './b.ts';" });
    assert.equal(reachFindings(circle).length, 2);
  });

  it('an SQL file that no code names is found, one of a migration is read with its folder', () => {
    const tree = source({
      'index.ts': "read('./used.sql');",
      'used.sql': '',
      'spare.sql': '',
      'migrations/1/a.sql': '',
    });
    assertOne(reachFindings(tree), /spare\.sql/);
  });
});

describe('public names', () => {
  const entry = (text: string, files: Record<string, string> = {}): Finding[] =>
    exportFindings(source({ 'index.ts': text, ...files }));

  it('one without a docstring is found where it is declared, through re-exports', () => {
    assertOne(entry("export { a } from './a.ts';", { 'a.ts': 'export const a = 1;' }), /src\/a\.ts: a is public/);
    assertOne(
      entry("export type { A as B } from './a.ts';", { 'a.ts': '/* no */\nexport interface A {}' }),
      /A is public/,
    );
    const hop = {
      'a.ts': "export { a } from './b.ts';",
      'b.ts': '/** Other. */\nconst x = 1;\nexport function a() {}',
    };
    assertOne(entry("export { a } from './a.ts';", hop), /src\/b\.ts: a is public/);
    assertOne(entry('export const own = 1;'), /own is public/);
  });

  it('one with a docstring is not, and "export *" and names from nowhere are', () => {
    assert.deepEqual(
      entry("export { a } from './a.ts';", { 'a.ts': '/** What it is. */\nexport async function a() {}' }),
      [],
    );
    assertOne(entry("export * from './a.ts';\n/** B. */\nexport const b = 1;"), /export \*/);
    assertOne(entry("export { gone } from './a.ts';", { 'a.ts': '' }), /declared nowhere/);
    assertOne(entry(''), /exports nothing/);
  });
});

describe('field reports', () => {
  const reports = { known: new Set(['C01', 'C02']), unanswered: new Set(['C02']) };
  const answered = (text: string) => reportFindings(new Map([['packages/leasehold/test/a.test.ts', text]]), reports);

  it('are answered by the name of a test, over lines as well', () => {
    assert.deepEqual(answered("test(\n  'a fact (C01)',\n  () => {});"), []);
    assert.deepEqual(
      reportFindings(new Map([['packages/leasehold/src/testing/a.ts', "fact('it’s so (C01)')"]]), reports),
      [],
    );
  });

  it('that no test names, or only a comment or a list, are found', () => {
    assertOne(answered("// as in (C01)\nconst caught = ['a fact (C01)'];"), /C01 has no test/);
  });

  it('that nobody knows, and one that is answered after all, are found', () => {
    assertOne(answered("it('one (C01)'); it('two (C99)');"), /C99 is no field report/);
    assertOne(answered("it('both (C01, C02)');"), /C02 is answered/);
  });
});

describe('messages', () => {
  const said = (text: string, test: string) =>
    messageFindings(
      new Map([
        [`${SOURCE}a.ts`, text],
        ['packages/leasehold/test/a.test.ts', test],
      ]),
    );
  const SAY = 'say(`Lost lock "${name}": ${reason ? `because of ${reason} alone` : "no longer held"}; stop at once.`);';

  it('that a test has word for word are found there, in strings, templates and regular expressions', () => {
    const test =
      'assert.match(x, /^Lost lock "a": because of/); const y = `${z} alone; stop at once.`; "no longer held"';
    assert.deepEqual(said(SAY, test), []);
  });

  it('that no test has, or only the name of one, are found, part by part', () => {
    assert.equal(said(SAY, 'test(\'Lost lock "a": no longer held; stop at once.\', () => {});').length, 4);
    assertOne(said(SAY, '"Lost lock "a"; stop at once. no longer held"'), /a\.ts:1: no test says "because of"/);
  });

  it('are looked for in SQL as well', () => {
    const tree = (sql: string): Tree => new Map([[`${SOURCE}stores/a.sql`, sql]]);
    assertOne(messageFindings(tree("raise exception using message = format('%s is far too long', x);")), /is far too/);
    assert.deepEqual(
      messageFindings(tree("comment on table a is 'One row a lock.';\n-- it's not 'said to anybody'")),
      [],
    );
  });

  it('are not what is imported, one word, SQL or a line of help', () => {
    const code = "import a from './a b c.ts'; f('one'); f('select-one'); c.option('--x <y>', 'what it does to it');";
    assert.deepEqual(said(code, ''), []);
  });
});

describe('words', () => {
  // In halves, as in words.ts: this file is in the tree that the rule reads.
  const forbidden = [
    ['// TO', 'DO later'],
    ['// FIX', 'ME'],
    ["const log = '/ro", "ot/x';"],
    ['cd /wo', 'rk/main'],
    ['sqlite:/ho', 'me/somebody/x.db'],
    ['"resolved": "https', '://example.org/a.tgz"'],
    ['https://registry.', 'npmjs.org/'],
  ];
  for (const [left = '', right = ''] of forbidden) {
    const isLock = left.startsWith('"resolved');
    it(`are found: ${left}…`, () =>
      assertOne(wordFindings(new Map([[isLock ? 'package-lock.json' : 'a.md', left + right]])), /:1: /));
  }

  it('that only look alike are left alone', () => {
    assert.deepEqual(wordFindings(new Map([['packages/leasehold/test/a.ts', ['/ho', 'me/somebody'].join('')]])), []);
    const harmless = 'the root/leaf, /var/lib/jobs, framework/main, "resolved": "packages/leasehold", a todo list';
    assert.deepEqual(wordFindings(new Map([['a.md', harmless]])), []);
  });
});
