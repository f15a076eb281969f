/** Pools from any shell: what they are set to, what they hold and who works them. The same on every store. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Answer, type Asked, ask, assertFields, claim, idsOf, tokenOf } from './answers.ts';

const SETTINGS = 'redo redoWindowMs attempts leaseMs limit callTimeoutMs verifier';
const POOL_FIELDS = `pool ${SETTINGS} paused queued deferred claimed toAsk done failed review cancelled oldestClaimAt workflows claims`;

/** Registers the facts. */
export function describePools(bench: () => Asked): void {
  it('pool shows what it is set to and holds; one that nothing has touched is no error', async () => {
    await ask(bench(), ['enqueue', 'shown', '--ids', 'a,b,c'], 0);
    await claim(bench(), ['shown', '--limit', '1', '--holder', 'web1:7', '--workflow', 'sync']);
    const shown = await ask(bench(), ['pool', 'shown'], 0);
    assertFields(shown, POOL_FIELDS);
    const { queued, claimed, redo, attempts, leaseMs, limit, callTimeoutMs, verifier, workflows } = shown;
    assert.deepEqual([queued, claimed, redo, attempts, leaseMs], [2, 1, 'ask', 5, 600_000]);
    assert.deepEqual([limit, callTimeoutMs, verifier, workflows], [50, 0, null, ['sync']]);
    const [live] = shown['claims'] as Record<string, unknown>[];
    assertFields(live ?? {}, 'claimId holder holderInfo records since leaseUntil');
    assert.deepEqual([live?.['holder'], live?.['records']], ['web1:7', 1]);
    const info = live?.['holderInfo'] as Record<string, unknown>;
    assert.deepEqual([info['workflow'], info['pid']], ['sync', process.pid]);
    const none = await bench().run(['pool', 'untouched']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /^leasehold: Pool "untouched" is not known: nothing has been enqueued or claimed\. \[/);
    assert.equal((await bench().run(['pool', 'untouched', '--json'])).stdout, '');
  });

  it('pool with options changes what they name, makes the pool, and is an event with its reason', async () => {
    const change = ['pool', 'set', '--redo', 'safe', '--redo-window', '24h', '--attempts', '3', '--lease', '2m'];
    const rest = ['--limit', '20', '--call-timeout', '30s', '--reason', 'as their API says'];
    const changed = await ask(bench(), [...change, ...rest], 0);
    assertFields(changed, `outcome pool ${SETTINGS} paused message`);
    const { outcome, redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs } = changed;
    assert.deepEqual([outcome, redo, redoWindowMs], ['changed', 'safe', 86_400_000]);
    assert.deepEqual([attempts, leaseMs, limit, callTimeoutMs], [3, 120_000, 20, 30_000]);
    assert.equal((await ask(bench(), [...change, ...rest], 0))['outcome'], 'unchanged');
    assert.equal((await ask(bench(), ['pool', 'set', '--redo-window', 'none'], 0))['redoWindowMs'], null);
    const events = await bench().json<Answer>(['events', '--pool', 'set', '--kind', 'settings.changed']);
    assert.equal(events.length, 2);
    assert.deepEqual([events[1]?.['pool'], events[1]?.['lock'], events[1]?.['severity']], ['set', null, 'info']);
    assert.match(events[1]?.message ?? '', /attempts from 5 to 3.*as their API says/);
    assert.ok(((await claim(bench(), ['set', '--ids', 'a'])).remainingMs ?? 0) <= 120_000);
  });

  it('a change that leaves a new pool as it is says that it made the pool; a window that counts for nothing is said', async () => {
    const made = await ask(bench(), ['pool', 'fresh', '--redo', 'ask'], 0);
    assert.deepEqual(
      [made['outcome'], made.message],
      ['unchanged', 'Made pool "fresh", set as every pool is until it is changed.'],
    );
    const again = await ask(bench(), ['pool', 'fresh', '--redo', 'ask'], 0);
    assert.equal(again.message, 'Pool "fresh" is set so already.');
    const idle = await ask(bench(), ['pool', 'fresh', '--redo-window', '1d'], 0);
    assert.equal(
      idle.message,
      'Changed pool "fresh": redo window from none to 1d; a redo window counts only with --redo safe.',
    );
  });

  it('a list of records in review offers to have the provider asked where the pool has a verifier', async () => {
    writeFileSync(join(bench().folder, 'function.json'), '{"kind":"function"}');
    const token = tokenOf(await claim(bench(), ['judged', '--ids', 'a']));
    await ask(bench(), ['verdict', 'judged', 'a', 'review', '--token', token], 0);
    const offers = async (): Promise<boolean> =>
      (await bench().run(['review', 'judged'])).stderr.includes('leasehold review judged ID ask');
    assert.equal(await offers(), false);
    await ask(bench(), ['pool', 'judged', '--verifier', 'function.json'], 0);
    assert.equal(await offers(), true);
  });

  it('a verifier is a JSON object with a kind and delays; what else it says is refused, and its value said nowhere', async () => {
    const file = join(bench().folder, 'verifier.json');
    writeFileSync(file, '\uFEFF{"kind":"function","commitDelayMs":5000,"callTimeoutMs":7000}\n');
    const change = await ask(bench(), ['pool', 'asked', '--verifier', 'verifier.json'], 0);
    assert.deepEqual(change['verifier'], { kind: 'function', commitDelayMs: 5_000, callTimeoutMs: 7_000 });
    assert.equal(change['callTimeoutMs'], 7_000);
    assert.match((await bench().run(['pool', 'asked'])).stdout, /^asked +open +ask +function .* 7s$/m);
    const short = await bench().run(['claim', 'asked', '--ids', 'a', '--lease', '6s']);
    assert.equal(short.code, 64);
    const known = 'callTimeoutMs, commitDelayMs, visibilityDelayMs, retentionMs, idempotencyWindowMs, lookupTimeoutMs';
    for (const [content, says] of [
      ['[]', 'verifier has no kind; give it an object with a "kind"'],
      ['{"kind":"http"}', 'the kind of a verifier must be "function" in this release'],
      ['{"kind":"function","callTimeoutMs":"1s"}', 'verifier callTimeoutMs must be a whole number from 0 to 3600000'],
      [
        '{"kind":"function","apiKey":"s3cret"}',
        `"apiKey" is not known of a verifier; beside its kind it may have ${known}`,
      ],
      ['{"kind":', 'verifier is not JSON; give it an object with a "kind"'],
    ] as const) {
      writeFileSync(file, content);
      const refused = await bench().run(['pool', 'asked', '--verifier', 'verifier.json']);
      assert.deepEqual([refused.code, refused.stderr], [64, `leasehold: verifier verifier.json: ${says}\n`]);
    }
    const missing = await bench().run(['pool', 'asked', '--verifier', 'none.json']);
    assert.equal(missing.stderr, "leasehold: verifier none.json: can't be read (ENOENT)\n");
    assert.equal((await ask(bench(), ['pool', 'asked', '--verifier', 'none'], 0))['verifier'], null);
  });

  it('a paused pool gives nothing out, which is exit 0 and said; what is claimed goes on', async () => {
    const token = tokenOf(await claim(bench(), ['rest', '--ids', 'a,b', '--limit', '1']));
    const paused = await ask(bench(), ['pause', '--pool', 'rest', '--reason', 'their API is down'], 0);
    assert.deepEqual([paused['outcome'], paused['pool'], paused['paused']], ['changed', 'rest', true]);
    const refused = await claim(bench(), ['rest', '--ids', 'b']);
    assert.deepEqual([refused.outcome, refused.owned, refused.token], ['paused', [], null]);
    const text = await bench().run(['claim', 'rest']);
    assert.deepEqual([text.code, text.stdout], [0, '']);
    assert.match(
      text.stderr,
      /^leasehold: Claimed nothing of pool "rest": it is paused; to go on: leasehold resume --pool rest/,
    );
    await ask(bench(), ['verdict', 'rest', 'a', 'done', '--token', token], 0);
    assert.equal((await ask(bench(), ['resume', '--pool', 'rest'], 0))['paused'], false);
    assert.deepEqual(idsOf((await claim(bench(), ['rest', '--ids', 'b'])).owned), ['b']);
    for (const args of [['pause'], ['resume'], ['advise']]) {
      const neither = await bench().run(args);
      assert.deepEqual([neither.code, neither.stderr], [64, 'leasehold: name a lock, or --pool POOL\n']);
      const both = await bench().run([...args, 'a', '--pool', 'b']);
      assert.deepEqual([both.code, both.stderr], [64, 'leasehold: name a lock or --pool POOL, not both\n']);
    }
  });

  it('status has the pools behind the locks: two workflows on one pool, and one on two, are seen at a glance', async () => {
    await bench().run(['acquire', 'job', '--lease', '5m']);
    await claim(bench(), ['shared', '--ids', 'a', '--workflow', 'sync', '--holder', 'web1:7']);
    await claim(bench(), ['shared', '--ids', 'b', '--workflow', 'nightly', '--holder', 'web2:9']);
    await claim(bench(), ['other', '--ids', 'a', '--workflow', 'nightly', '--holder', 'web2:9']);
    const { code, stdout } = await bench().run(['status']);
    assert.equal(code, 0);
    assert.match(stdout, /^LOCK [^]*\n\nPOOL +QUEUED [^]*\n\nPOOL +STATE +REDO [^]*\n\nPOOL +WORKFLOW +HOST +HOLDER /);
    assert.match(stdout, /^shared +nightly +\S+ +web2:9 +1 /m);
    assert.match(stdout, /^Pool "shared" is worked by 2 workflows: nightly, sync\.$/m);
    assert.match(stdout, /^Workflow "nightly" works 2 pools: other, shared\.$/m);
    const rows = await bench().json<Answer>(['status']);
    const pools = rows.filter((row) => row['lock'] === undefined);
    assert.ok(rows.length > pools.length && pools.length > 1);
    for (const pool of pools) assertFields(pool, POOL_FIELDS);
    const [shared] = await bench().json<Answer>(['status', 'shared']);
    assert.deepEqual(shared?.['workflows'], ['nightly', 'sync']);
  });

  it('advise --pool says how long a claim should last and how many records fit', async () => {
    const token = tokenOf(await claim(bench(), ['advised', '--ids', 'a']));
    const nothing = await ask(bench(), ['advise', '--pool', 'advised'], 0);
    assertFields(nothing, 'pool leaseMs limit sample warnings message');
    assert.deepEqual([nothing['leaseMs'], nothing['limit']], [null, null]);
    await ask(bench(), ['verdict', 'advised', 'a', 'done', '--token', token], 0);
    const advice = await ask(bench(), ['advise', '--pool', 'advised'], 0);
    assert.ok(Number(advice['leaseMs']) >= 1_000 && Number(advice['limit']) >= 1);
    const text = await bench().run(['advise', '--pool', 'advised']);
    assert.match(text.stdout, /^A claim of pool "advised" should last .*\n {2}--lease \d+[sm]\n {2}--limit \d+\n/);
    const lock = await bench().run(['advise', '--pool', 'advised', '--schedule', '@hourly']);
    assert.deepEqual([lock.code, lock.stderr], [64, 'leasehold: --schedule belongs to a lock\n']);
  });
}
