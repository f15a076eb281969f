/** The manual pages: that they say everything, and that what they show can be typed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { PAGES } from '../../src/cli/help/pages.ts';
import { EVERY_EXIT, PROGRAM_EXAMPLES } from '../../src/cli/help/program-page.ts';
import { VALUES } from '../../src/cli/help/values.ts';
import { openBench } from './command-line.ts';
import { say } from './understood-lines.ts';

const docs = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');

/** The words of the `leasehold` in a line of shell, up to what the shell itself would take. */
function wordsOf(line: string): string[] {
  const command = line.slice(line.indexOf('leasehold ') + 'leasehold '.length);
  const end = command.search(/ (?:\||\|\||&&|>) |\)|(?<=[^ ])' EXIT/);
  const own = end === -1 ? command : command.slice(0, end);
  return [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** Terms of a section of a help text. */
function termsOf(help: string, title: string): string[] {
  const section = new RegExp(`^${title}:\\n((?: .*\\n)+)`, 'm').exec(help)?.[1] ?? '';
  return [...section.matchAll(/^ {2}(\S.*?)(?: {2,}|$)/gm)].map(([, term = '']) => term);
}

const names = [...PAGES.keys()];
/** Commands that stand in the list of all; `alert` for `alert test`. */
const topLevel = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];

describe('each manual page', () => {
  for (const name of names) {
    const page = PAGES.get(name);
    assert.ok(page !== undefined);
    const path = name.split(' ');

    it(`${name}: says what it does, with two examples or more`, async () => {
      const sentences = page.about.join(' ').split(/[.:] /).length;
      assert.ok(sentences >= 2 && page.about.join(' ').length > 100, page.about.join(' '));
      const { stdout } = await say([...path, '--help']);
      const takesAnything = /^Options:$|^Arguments:$/m.test(stdout) || name === 'doctor';
      assert.ok(page.examples.length >= (takesAnything ? 2 : 1));
      assert.ok(page.seeAlso.length > 0);
    });

    it(`${name}: every example is a line that is understood`, async () => {
      for (const { line } of page.examples) {
        const words = wordsOf(line);
        assert.deepEqual(words.slice(0, path.length), path, line);
        if (line === 'leasehold demo') continue;
        const { code, stderr } = await say(words);
        const isSilent = words.includes('--print') || line === 'leasehold work' || path[0] === 'sql';
        // It opens no store, and what it would read is not there, or is of this host.
        if (path[0] === 'audit') assert.ok([0, 1, 78].includes(code), `${line}: ${code} ${stderr}`);
        else assert.equal(code, isSilent ? 0 : 69, `${line}: ${stderr}`);
      }
    });

    it(`${name}: every option and value is explained, and no line is wider than a terminal`, async () => {
      const { code, stdout } = await say([...path, '--help']);
      assert.equal(code, 0);
      const options = [...termsOf(stdout, 'Options'), ...termsOf(stdout, 'Options of every command')];
      assert.ok(options.includes('-h, --help'));
      const explained = termsOf(stdout, 'Values');
      for (const option of options) {
        assert.match(stdout, new RegExp(`^ {2}${option.replaceAll(/[[\]<>]/g, '.')} {2,}\\S`, 'm'), option);
        for (const [placeholder] of option.matchAll(/<\w+>/g)) assert.ok(explained.includes(placeholder), placeholder);
      }
      const shown = new Set<string>(page.examples.map(({ line }) => `  ${line}`));
      for (const line of stdout.split('\n')) assert.ok(line.length <= 80 || shown.has(line), line);
    });

    it(`${name}: every exit code is one of ours and explained, and those that every command has are there`, () => {
      const codes = page.exitCodes.map(([code]) => code);
      const known = new Set([...Object.values(EXIT).map(String), '128 + n']);
      for (const [code, meaning] of page.exitCodes) {
        assert.ok(known.has(code), code);
        assert.notEqual(meaning, '');
      }
      for (const code of ['0', '64', '70']) assert.ok(codes.includes(code), code);
      const hasStore = name !== 'demo' && path[0] !== 'sql' && name !== 'audit';
      if (hasStore) for (const code of ['69', '78']) assert.ok(codes.includes(code), code);
      // What these say is no answer that somebody asked for.
      assert.equal(codes.includes('74'), name !== 'demo' && name !== 'work');
      assert.deepEqual(codes, [...new Set(codes)]);
    });

    it(`${name}: begins like its line at the top of docs/cli.md, and what it refers to is there`, () => {
      assert.ok(docs.includes(`\nleasehold ${page.usage}\n`), page.usage);
      for (const also of page.seeAlso) {
        const command = /^leasehold help (.+)$/.exec(also)?.[1];
        if (command !== undefined) assert.ok(PAGES.has(command), also);
        else assert.doesNotThrow(() => readFileSync(new URL(`../../../../${also}`, import.meta.url)), also);
      }
    });
  }
});

describe('help', () => {
  it('lists every command, each of which has a page', async () => {
    const { stdout } = await say(['--help']);
    assert.deepEqual(termsOf(stdout, 'Commands'), [...topLevel.toSorted(byListing(stdout)), 'help [COMMAND]']);
  });

  it('explains every exit code there is, and each is on a page of its own command too', () => {
    const codes = EVERY_EXIT.flatMap(([each]) => each.split(', '));
    const known = [...new Set(Object.values(EXIT).map(String)), '128 + n'];
    assert.deepEqual(codes.toSorted(), known.toSorted());
    const onPages = new Set([...PAGES.values()].flatMap(({ exitCodes }) => exitCodes.map(([code]) => code)));
    assert.deepEqual([...onPages].toSorted(), known.toSorted());
  });

  it('shows examples that are understood', async () => {
    for (const { line } of PROGRAM_EXAMPLES) {
      const words = wordsOf(line);
      // What is audited is not there, or is of this host.
      const codes = words[0] === 'audit' ? [0, 1, 78] : [69];
      assert.ok(codes.includes((await say(words)).code), line);
    }
  });

  it('explains no placeholder that no option has', async () => {
    const pages = await Promise.all(names.map((name) => say([...name.split(' '), '--help'])));
    const options = pages.map(({ stdout }) => stdout).join('');
    for (const [placeholder] of VALUES)
      assert.match(options, new RegExp(`--[\\w-]+ ${placeholder}|^ {2}${placeholder}`, 'm'));
  });

  it('of a command is the same by help COMMAND, COMMAND --help and COMMAND -h', async () => {
    for (const name of names) {
      const path = name.split(' ');
      const [page, ...same] = await Promise.all(
        [
          ['help', ...path],
          [...path, '--help'],
          [...path, '-h'],
          ['--help', ...path],
          ['-h', ...path],
        ].map((argv) => say(argv)),
      );
      for (const each of same) assert.deepEqual(each, page);
      assert.match(page?.stdout ?? '', new RegExp(`^Usage: leasehold ${name}\\b`));
    }
  });

  it('of a command that gathers others lists them', async () => {
    for (const argv of [
      ['help', 'alert'],
      ['alert', '--help'],
      ['--help', 'alert'],
    ]) {
      const { code, stdout } = await say(argv);
      assert.equal(code, 0);
      assert.deepEqual(termsOf(stdout, 'Commands'), ['test']);
    }
    const { code, stdout, stderr } = await say(['alert']);
    assert.deepEqual([code, stdout], [64, '']);
    assert.equal(stderr, (await say(['help', 'alert'])).stdout);
  });

  it('of an unknown command is exit 64 with the command that may be meant', async () => {
    for (const argv of [
      ['help', 'relase'],
      ['relase', '--help'],
      ['relase', '-h', '--json'],
    ]) {
      const { code, stdout, stderr } = await say(argv);
      assert.deepEqual([code, stdout], [64, '']);
      assert.match(stderr, /^leasehold: unknown command 'relase' \(Did you mean release\?\); see leasehold --help\n$/);
    }
  });

  it('behind -- belongs to the guarded command', async () => {
    const { code, stdout } = await say(['run', 'a', '--', 'make', '--help']);
    assert.deepEqual([code, stdout], [69, '']);
  });

  it('is the same in a process of its own', async () => {
    await using bench = openBench();
    const { code, stdout } = await bench.run(['help', 'run']);
    assert.equal(code, 0);
    assert.equal(stdout, (await say(['help', 'run'])).stdout);
  });
});

/** In the order in which the list has them, so that the list alone decides on it. */
function byListing(help: string): (a: string, b: string) => number {
  const terms = termsOf(help, 'Commands');
  return (a, b) => terms.indexOf(a) - terms.indexOf(b);
}
