/** The protocol from any shell: exit codes, what stands on which stream, and the fields of `--json` (design §11). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Bench, openBench } from './command-line.ts';
import { endLeaseNow } from './store-rows.ts';

const ANSWER = ['outcome', 'proceed', 'lock', 'runId', 'slotAt', 'skipsInRow', 'missed', 'message'];
const LEASE = ['token', 'fence', 'leaseUntil', 'remainingMs'];
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/;

type Answer = Record<string, unknown> & { token: string; message: string };

/** One answer as JSON, with the exit code that came with it; nothing may stand on stderr beside it. */
async function ask(bench: Bench, args: readonly string[], exitCode: number): Promise<Answer> {
  const { code, stdout, stderr } = await bench.run([...args, '--json']);
  assert.equal(code, exitCode, stderr);
  assert.equal(stderr, '');
  assert.match(stdout, /^[^\n]+\n$/, 'one object on one line');
  return JSON.parse(stdout) as Answer;
}

function assertFields(answer: object, fields: readonly string[]): void {
  assert.deepEqual(Object.keys(answer).toSorted(), [...fields].toSorted());
}

describe('acquire', () => {
  it('prints the token alone on stdout and the message on stderr', async () => {
    await using bench = openBench();
    const { code, stdout, stderr } = await bench.run(['acquire', 'a', '--lease', '5m']);
    assert.equal(code, 0);
    assert.match(stdout, UUID);
    assert.match(stderr, /^leasehold: Acquired lock "a" for 5m, until .* \[sqlite:.*leasehold\.db\]\n$/);
    assert.ok(!stderr.includes(stdout.trim()), 'the token is no part of the message');
  });

  it('with --json gives the fields of an acquisition', async () => {
    await using bench = openBench();
    const slot = '2026-11-30T09:00:00Z';
    const answer = await ask(bench, ['acquire', 'a', '--lease', '5m', '--slot', slot, '--run-id', 'r1'], 0);
    assertFields(answer, [...ANSWER, ...LEASE]);
    assert.equal(answer['outcome'], 'acquired');
    assert.equal(answer['proceed'], true);
    assert.equal(answer['runId'], 'r1');
    assert.equal(answer['slotAt'], '2026-11-30T09:00:00.000Z');
    assert.equal(answer['fence'], 1);
    assert.match(String(answer['leaseUntil']), ISO);
    assert.ok(Number(answer['remainingMs']) > 299_000 && Number(answer['remainingMs']) <= 300_000);
    assert.deepEqual(answer['missed'], []);
  });

  it('of a held lock is exit 75: nothing on stdout, who holds it on stderr', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'other']);
    const { code, stdout, stderr } = await bench.run(['acquire', 'a', '--lease', '5m']);
    assert.equal(code, 75);
    assert.equal(stdout, '');
    assert.match(stderr, /^leasehold: Skipped lock "a": previous run still running \(holder other, for /);
    assert.match(stderr, /leasehold force-release a --reason TEXT/);
  });

  it('of a held lock with --json gives reason and current, and counts the skips in a row', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'other', '--run-id', 'first']);
    await ask(bench, ['acquire', 'a', '--lease', '5m'], 75);
    const answer = await ask(bench, ['acquire', 'a', '--lease', '5m'], 75);
    assertFields(answer, [...ANSWER, 'reason', 'current']);
    assert.equal(answer['outcome'], 'skipped');
    assert.equal(answer['proceed'], false);
    assert.equal(answer['reason'], 'held');
    assert.equal(answer['skipsInRow'], 2);
    const current = answer['current'] as Record<string, unknown>;
    assertFields(current, ['holder', 'runId', 'since', 'ageMs', 'remainingMs']);
    assert.deepEqual([current['holder'], current['runId']], ['other', 'first']);
    assert.match(String(current['since']), ISO);
  });

  it('of a stale lease is exit 0, reclaimed, with what is known of the previous run', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m', '--holder', 'gone', '--run-id', 'first']);
    endLeaseNow(bench, 'a');
    const answer = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    assertFields(answer, [...ANSWER, ...LEASE, 'previous']);
    assert.equal(answer['outcome'], 'reclaimed');
    const previous = answer['previous'] as Record<string, unknown>;
    assertFields(previous, ['holder', 'runId', 'since', 'ageMs', 'renewedAt', 'progress', 'probe']);
    assert.deepEqual([previous['holder'], previous['runId']], ['gone', 'first']);
    assert.match(answer.message, /may still be running/);
  });

  it('bypassed proceeds without a token', async () => {
    await using bench = openBench();
    const bypass = ['acquire', 'a', '--lease', '5m', '--bypass', '--reason', 'by hand'];
    assertFields(await ask(bench, bypass, 0), [...ANSWER, 'reason']);
    const { code, stdout, stderr } = await bench.run(bypass);
    assert.equal(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^leasehold: Bypassed lock "a" \(by hand\)/);
  });

  it('repeated with its run id and holder gets the same token', async () => {
    await using bench = openBench();
    const start = ['acquire', 'a', '--lease', '5m', '--run-id', 'r1'];
    const first = await ask(bench, [...start, '--holder', 'h'], 0);
    const again = await ask(bench, [...start, '--holder', 'h'], 0);
    assert.equal(again.token, first.token);
    // Another holder presenting the run id is a second start.
    assert.equal((await ask(bench, [...start, '--holder', 'other'], 75))['outcome'], 'skipped');
  });

  it('holds for the calling process unless told for whom', async () => {
    await using bench = openBench();
    await bench.run(['acquire', 'a', '--lease', '5m']);
    const [status] = await bench.json<{ holder: string }>(['status', 'a']);
    assert.match(status?.holder ?? '', new RegExp(`:${process.pid}$`));
  });
});

describe('renew', () => {
  it('answers renewed with exit 0, and lost with exit 77', async () => {
    await using bench = openBench();
    const { token } = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    const renewed = await ask(bench, ['renew', 'a', '--token', token, '--lease', '10m', '--progress', 'half'], 0);
    assertFields(renewed, ['outcome', 'lock', 'runId', 'leaseUntil', 'remainingMs', 'message']);
    assert.ok(Number(renewed['remainingMs']) > 599_000);
    endLeaseNow(bench, 'a');
    const lost = await ask(bench, ['renew', 'a', '--token', token], 77);
    assertFields(lost, ['outcome', 'lock', 'runId', 'reason', 'message']);
    assert.deepEqual([lost['outcome'], lost['reason']], ['lost', 'expired']);
  });

  it('takes the token from LEASEHOLD_TOKEN; --token comes first', async () => {
    await using bench = openBench();
    const { token } = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    const env = { LEASEHOLD_TOKEN: token };
    const renewed = await bench.run(['renew', 'a'], { env });
    assert.equal(renewed.code, 0);
    assert.match(renewed.stdout, /^Renewed lock "a" until /);
    const refused = await bench.run(['renew', 'a', '--token', 'another'], { env });
    assert.equal(refused.code, 77);
    assert.equal(refused.stdout, '');
    assert.match(refused.stderr, /^leasehold: Lost lock "a": no run of it has this token/);
    assert.ok(!refused.stderr.includes('another'), 'a token is no part of a message');
  });
});

describe('release', () => {
  it('is exit 0 for released, repeated, expired and already_free, and 77 for another holder', async () => {
    await using bench = openBench();
    const first = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    const release = ['release', 'a', '--token', first.token];
    const released = await ask(bench, [...release, '--status', 'success'], 0);
    assertFields(released, ['outcome', 'lock', 'runId', 'message']);
    assert.equal(released['outcome'], 'released');
    assert.equal((await ask(bench, release, 0))['outcome'], 'released');

    const second = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    endLeaseNow(bench, 'a');
    const late = ['release', 'a', '--token', second.token, '--status', 'failure'];
    assert.equal((await ask(bench, late, 0))['outcome'], 'expired');

    const third = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    endLeaseNow(bench, 'a');
    await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    assert.equal((await ask(bench, ['release', 'a', '--token', third.token], 77))['outcome'], 'not_holder');
  });

  it('with --after keeps the lock cooling', async () => {
    await using bench = openBench();
    const { token } = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    assert.equal((await bench.run(['release', 'a', '--token', token, '--after', '1h'])).code, 0);
    assert.equal((await ask(bench, ['acquire', 'a', '--lease', '5m'], 75))['reason'], 'cooling');
  });
});

describe('force-release', () => {
  it('drains by default, frees at once with --now, and the next start is reclaimed', async () => {
    await using bench = openBench();
    const { token } = await ask(bench, ['acquire', 'a', '--lease', '5m'], 0);
    const draining = await ask(bench, ['force-release', 'a', '--reason', 'stuck'], 0);
    assertFields(draining, ['outcome', 'lock', 'runId', 'holder', 'freeAt', 'message']);
    assert.equal(draining['outcome'], 'draining');
    assert.equal((await ask(bench, ['acquire', 'a', '--lease', '5m'], 75))['reason'], 'draining');
    assert.equal((await ask(bench, ['renew', 'a', '--token', token], 77))['reason'], 'force_released');
    assert.equal((await ask(bench, ['force-release', 'a', '--reason', 'now', '--now'], 0))['outcome'], 'released');
    assert.equal((await ask(bench, ['acquire', 'a', '--lease', '5m'], 0))['outcome'], 'reclaimed');
  });

  it('of a free lock is exit 0 and says so', async () => {
    await using bench = openBench();
    await bench.run(['migrate']);
    const { code, stdout } = await bench.run(['force-release', 'nobody', '--reason', 'r']);
    assert.equal(code, 0);
    assert.match(stdout, /^Nothing to release: lock "nobody" is not known to this store; check its name\./);
  });
});
