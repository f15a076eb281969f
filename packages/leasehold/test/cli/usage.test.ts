/** The command line itself: what is accepted, what is refused with exit 64, and that a mistake touches no store. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { FLAGS, orderArguments, splitCommand } from '../../src/cli/arguments.ts';
import { PAGES } from '../../src/cli/help/pages.ts';
import { type Ended, openBench } from './command-line.ts';

/** Refused as usage: exit 64, one line on stderr that begins with our name, nothing on stdout. */
function assertUsage(ended: Ended, pattern: RegExp): void {
  assert.equal(ended.code, 64, ended.stderr);
  assert.equal(ended.stdout, '');
  assert.match(ended.stderr, /^leasehold: [^\n]+\n$/);
  assert.match(ended.stderr, pattern);
}

/** Each as argv after `leasehold`, with what its refusal says. */
const REFUSED: readonly [fact: string, args: readonly string[], says: RegExp][] = [
  ['an empty lock name', ['run', '', '--', 'true'], /lock name is empty/],
  ['a lock name of 300 characters', ['acquire', 'x'.repeat(300), '--lease', '5m'], /300 bytes long; the limit is 255/],
  ['a lock name with a newline', ['status', 'two\nlines'], /control characters/],
  ['a lease of 0', ['run', 'a', '--lease', '0', '--', 'true'], /"0" is not a duration/],
  ['a lease of 0s', ['run', 'a', '--lease', '0s', '--', 'true'], /must lie between 1s and 31d/],
  ['a negative lease', ['run', 'a', '--lease', '-1s', '--', 'true'], /"-1s" is not a duration/],
  ['a lease of 50ms', ['acquire', 'a', '--lease', '50ms'], /lease is 50ms; it must lie between 1s and 31d/],
  ['a lease of 32 days', ['acquire', 'a', '--lease', '32d'], /lease is 32d; it must lie between 1s and 31d/],
  ['a lease of 400d', ['acquire', 'a', '--lease', '400d'], /must lie between 1s and 31d/],
  ['a lease of abc', ['run', 'a', '--lease', 'abc', '--', 'true'], /"abc" is not a duration/],
  ['a lease of 1 month', ['run', 'a', '--lease', '1 month', '--', 'true'], /"1 month" is not a duration/],
  ['a lease in renew', ['renew', 'a', '--token', 't', '--lease', '999ms'], /must lie between 1s and 31d/],
  ['run without --', ['run', 'a'], /run needs a command after --, for example: leasehold run nightly -- .\/job.sh\n/],
  ['run with nothing after --', ['run', 'a', '--'], /needs a command after --/],
  ['run whose command lacks its --', ['run', 'a', './job.sh'], /needs a command after --/],
  ['run with two names', ['run', 'a', 'b', '--', 'true'], /"b" is one word too many before --/],
  ['run without a name', ['run', '--', 'true'], /missing required argument 'name'/],
  ['--wait without --on-busy wait', ['run', 'a', '--wait', '5s', '--', 'true'], /--wait belongs to --on-busy wait/],
  ['an unknown --on-busy', ['run', 'a', '--on-busy', 'queue', '--', 'true'], /"queue" is not one of skip, wait/],
  ['an unknown --on-lost', ['run', 'a', '--on-lost', 'x', '--', 'true'], /"x" is not one of stop, warn/],
  ['an unknown --on-stale', ['run', 'a', '--on-stale', 'x', '--', 'true'], /"x" is not one of reclaim, hold/],
  ['--bypass without --reason', ['run', 'a', '--bypass', '--', 'true'], /--bypass needs --reason TEXT/],
  ['--reason without --bypass', ['run', 'a', '--reason', 'r', '--', 'true'], /--reason belongs to --bypass/],
  ['acquire without --lease', ['acquire', 'a'], /--lease <duration>' not specified/],
  ['a slot without a zone', ['acquire', 'a', '--lease', '5m', '--slot', '2026-11-30T09:00:00'], /ISO 8601 with a zone/],
  ['a slot on no day', ['acquire', 'a', '--lease', '5m', '--slot', '2026-13-30T09:00:00Z'], /is not an instant/],
  ['a slot on 30 February', ['acquire', 'a', '--lease', '5m', '--slot', '2026-02-30T00:00:00Z'], /is not an instant/],
  ['an empty --store', ['status', '--store', ''], /--store is empty; give it a value or leave it out/],
  [
    'run in memory',
    ['run', 'a', '--store', 'sqlite::memory:', '--', 'true'],
    /sqlite::memory: ends with this process, so it guards nothing; name a file: sqlite:PATH\n/,
  ],
  ['acquire in memory', ['acquire', 'a', '--store', 'sqlite::memory:', '--lease', '5m'], /guards nothing/],
  [
    'an empty word as command',
    ['run', 'a', '--', ''],
    /the command after -- is an empty word; look at the variable it came from/,
  ],
  ['renew without a token', ['renew', 'a'], /a token is needed: --token T, or LEASEHOLD_TOKEN/],
  ['release without a token', ['release', 'a'], /a token is needed/],
  ['an unknown status', ['release', 'a', '--token', 't', '--status', 'ok'], /"ok" is not one of success, failure/],
  ['a negative --after', ['release', 'a', '--token', 't', '--after', '-5s'], /"-5s" is not a duration/],
  ['force-release without a reason', ['force-release', 'a'], /--reason <text>' not specified/],
  ['force-release with an empty reason', ['force-release', 'a', '--reason', ''], /reason is empty/],
  ['a limit of 0', ['runs', '--limit', '0'], /whole number from 1 to 1000/],
  ['a limit of 1001', ['events', '--limit', '1001'], /whole number from 1 to 1000/],
  ['a limit of 1e2', ['events', '--limit', '1e2'], /whole number from 1 to 1000/],
  ['an argument too many', ['claim', 'orders', 'a'], /but got 2: orders, a; see leasehold --help\n/],
  ['an unknown command', ['stauts'], /unknown command 'stauts' \(Did you mean status\?\); see leasehold --help\n/],
  ['a command named like a property of every object', ['constructor'], /unknown command 'constructor'/],
  ['an unknown option', ['status', '--verbose'], /unknown option '--verbose'/],
  ['a command of a later release', ['drill', '--every', '5m'], /unknown command/],
  ['a schedule of two fields', ['run', 'a', '--schedule', '* *', '--', 'true'], /has 2 fields; write five fields/],
  ['a schedule that never fires', ['acquire', 'a', '--lease', '5m', '--schedule', '0 0 31 2 *'], /never fires/],
  ['an unknown zone', ['run', 'a', '--schedule', '@daily', '--timezone', 'Mars', '--', 'true'], /"Mars" is not known/],
  [
    '--timezone without --schedule',
    ['run', 'a', '--timezone', 'UTC', '--', 'true'],
    /--timezone belongs to --schedule/,
  ],
  ['a --max-hold of 10ms', ['run', 'a', '--max-hold', '10ms', '--', 'true'], /max-hold: "10ms" is too short/],
  ['a --stall of soon', ['run', 'a', '--stall', 'soon', '--', 'true'], /"soon" is not a duration/],
  ['--quiet-skips 0', ['run', 'a', '--quiet-skips', '0', '--', 'true'], /whole number from 1 to/],
  ['--skip-exit-code 256', ['run', 'a', '--skip-exit-code', '256', '--', 'true'], /whole number from 0 to 255/],
  ['an --at without a zone', ['why', 'a', '--at', '2026-11-30'], /at: .* is not an instant/],
  ['pause without a name', ['pause'], /name a lock, or --pool POOL/],
  ['an option without its value', ['status', '--store'], /argument missing/],
  ['a third word', ['status', 'a', 'b'], /too many arguments/],
  [
    '--print with --grant',
    ['migrate', '--print', '--grant', 'app'],
    /--grant has no effect on --print; give it to migrate itself/,
  ],
];

describe('bad input', () => {
  for (const [fact, args, says] of REFUSED) {
    it(`${fact} is exit 64, one line, and no store is touched`, async () => {
      await using bench = openBench();
      assertUsage(await bench.run(args), says);
      assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false);
    });
  }

  it('a token with a newline is refused and not repeated', async () => {
    await using bench = openBench();
    const ended = await bench.run(['renew', 'a', '--token', 'secret\nvalue']);
    assertUsage(ended, /token has control characters/);
    assert.doesNotMatch(ended.stderr, /secret/);
  });
});

describe('the order of words', () => {
  it('options may stand before or after the subcommand', async () => {
    await using bench = openBench();
    const other = `sqlite:${join(bench.folder, 'other.db')}`;
    for (const args of [
      ['--lease', '5m', '--store', other, '--json', 'acquire', 'a', '--holder', 'h'],
      ['--json', 'status', '--store', other, 'a'],
      ['status', 'a', '--json', `--store=${other}`],
    ]) {
      const { code, stdout, stderr } = await bench.run(args);
      assert.equal(code, 0, stderr);
      assert.equal((JSON.parse(stdout) as { lock: string }).lock, 'a');
    }
    assert.equal(existsSync(join(bench.folder, 'leasehold.db')), false, 'the default store was used');
  });

  it('also before, between and behind the two words of a command that another one gathers', () => {
    for (const words of [
      ['--json', '--store', 'a', 'alert', 'test', 'ops'],
      ['alert', '--json', '--store', 'a', 'test', 'ops'],
      ['--json', 'alert', '--store', 'a', 'test', 'ops'],
    ])
      assert.deepEqual(orderArguments(words).words, ['alert', 'test', '--json', '--store', 'a', 'ops']);
    assert.deepEqual(orderArguments(['alert', 'test', 'ops', '--json']).words, ['alert', 'test', 'ops', '--json']);
  });

  it("an option's value before the subcommand is not taken for it", () => {
    assert.deepEqual(orderArguments(['--holder', 'status', '--json', 'run', 'a', '--', 'run']), {
      subcommand: 'run',
      words: ['run', '--holder', 'status', '--json', 'a', '--', 'run'],
    });
  });

  it('the words after the first -- are the command, word for word', () => {
    assert.deepEqual(splitCommand(['run', 'a', '--', 'x', '--json', '--', '-y']), {
      own: ['run', 'a'],
      command: ['x', '--json', '--', '-y'],
    });
  });

  it('every flag that takes no value is known as one, and no other', async () => {
    await using bench = openBench();
    const helps = await Promise.all([...PAGES.keys()].map((name) => bench.run([...name.split(' '), '--help'])));
    const shown = helps.flatMap(({ stdout }) => [...stdout.matchAll(/^ {2}(?:(-\w), )?(--[\w-]+)( <\w+>)?/gm)]);
    assert.ok(shown.length > 40, 'the help is read');
    for (const [, short, long = '', value] of shown) {
      assert.equal(FLAGS.has(long), value === undefined, long);
      if (short !== undefined) assert.ok(FLAGS.has(short));
    }
  });
});

describe('help and version', () => {
  it('--version prints the version alone', async () => {
    await using bench = openBench();
    const { code, stdout } = await bench.run(['--version']);
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('--help goes to stdout with exit 0; no word at all is help on stderr with exit 64', async () => {
    await using bench = openBench();
    const help = await bench.run(['--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /run .*\n[^]*force-release[^]*Exit codes:\n  0 +done/);
    const bare = await bench.run([]);
    assert.equal(bare.code, 64);
    assert.equal(bare.stdout, '');
    assert.equal(bare.stderr, help.stdout);
  });

  it('each command has its own help', async () => {
    await using bench = openBench();
    const { code, stdout } = await bench.run(['help', 'run']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: leasehold run NAME \[options\] -- CMD/);
  });
});

describe('where the store is', () => {
  it('is --store, then LEASEHOLD_STORE, then a file in the state directory', async () => {
    await using bench = openBench();
    const state = join(bench.folder, 'state');
    const file = join(state, 'leasehold', 'leasehold.db');
    const env = { XDG_STATE_HOME: state, LEASEHOLD_STORE: undefined };
    assert.equal((await bench.run(['migrate', '--store', bench.store], { env })).code, 0);
    assert.equal(existsSync(file), false);
    assert.match((await bench.run(['migrate'], { env })).stdout, new RegExp(`\\[sqlite:${file}\\]`));
    assert.equal(existsSync(file), true);
  });

  it('without XDG_STATE_HOME is below ~/.local/state, also where that variable is relative', async () => {
    await using bench = openBench();
    const env = { HOME: bench.folder, XDG_STATE_HOME: 'relative', LEASEHOLD_STORE: undefined };
    assert.equal((await bench.run(['migrate'], { env })).code, 0);
    assert.ok(existsSync(join(bench.folder, '.local', 'state', 'leasehold', 'leasehold.db')));
  });
});

test('options without a command print the help, and nothing else, on stderr', async () => {
  await using bench = openBench();
  const { code, stdout, stderr } = await bench.run(['--json']);
  assert.deepEqual([code, stdout], [64, '']);
  assert.match(stderr, /^Usage: leasehold/);
  assert.doesNotMatch(stderr, /outputHelp/);
});
