/** The records' protocol from any shell: exit codes, streams, and the fields of `--json`. The same on every store. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { effectKeyOf, effectKeyText } from '../../../src/domain/records/effect-key.ts';
import { type Answer, type Asked, ask, assertFields, claim, idsOf, tokenOf } from './answers.ts';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CLAIM_FIELDS = 'outcome pool claimId token leaseUntil remainingMs owned refused settled message';
const RECORD_FIELDS =
  'pool id version state effectKey attempt claimedBy claimedAt leaseUntil begunAt providerRef error notBefore updatedAt ' +
  'evidenceRef evidenceAt';

/** Registers the facts. `bench` is asked for in each; each has a pool of its own. */
export function describeProtocol(bench: () => Asked): void {
  it('claim by id: owned and refused, each with its fields, and nobody has a record twice', async () => {
    const first = await claim(bench(), ['by-id', '--ids', 'b,a', '--holder', 'web1', '--lease', '5m']);
    assertFields(first, CLAIM_FIELDS);
    assert.deepEqual([first.outcome, first.pool, idsOf(first.owned)], ['claimed', 'by-id', ['b', 'a']]);
    const [record] = first.owned;
    assertFields(record ?? {}, 'id version effectKey attempt payload');
    assert.deepEqual([record?.version, record?.attempt, record?.payload], ['', 1, null]);
    assert.match(record?.effectKey ?? '', UUID);
    assert.match(first.token ?? '', UUID);
    assert.match(first.leaseUntil ?? '', ISO);
    assert.ok((first.remainingMs ?? 0) > 290_000 && (first.remainingMs ?? 0) <= 300_000);
    assertFields(first.settled, 'requeued review cancelled');
    const second = await claim(bench(), ['by-id', '--ids', 'a,c,b', '--holder', 'web2']);
    assert.deepEqual(idsOf(second.owned), ['c']);
    assertFields(second.refused[0] ?? {}, 'id version why by since');
    assert.deepEqual(
      second.refused.map(({ id, why, by }) => [id, why, by]),
      [
        ['a', 'claimed', 'web1'],
        ['b', 'claimed', 'web1'],
      ],
    );
    assert.match(second.refused[0]?.since ?? '', ISO);
    assert.notEqual(second.token, first.token);
  });

  it('claim with nothing to be had is exit 0 with no token; so is an empty list', async () => {
    await claim(bench(), ['none', '--ids', 'a']);
    assert.deepEqual((await claim(bench(), ['none'])).owned, []);
    await ask(bench(), ['enqueue', 'none', '--ids', 'b'], 0);
    for (const args of [
      ['--ids', 'a'],
      ['--ids', ''],
      ['--ids-file', '-'],
    ]) {
      const answer = await claim(bench(), ['none', ...args], args[0] === '--ids-file' ? '\r\n\n' : undefined);
      assert.deepEqual([answer.outcome, answer.token, answer.owned], ['claimed', null, []], args.join(' '));
    }
  });

  it('an id that is given twice counts once, and versions are records of their own', async () => {
    const lines = '{"id":"a"}\n{"id":"a"}\n{"id":7,"payload":{"n":12345678901234567890}}\n{"id":"7"}\n';
    const answer = await bench().run(['claim', 'twice', '--ids-file', '-', '--json'], { stdin: lines });
    const { owned } = JSON.parse(answer.stdout) as { owned: { id: string }[] };
    assert.deepEqual(idsOf(owned), ['a', '7']);
    assert.match(answer.stdout, /"payload":\{"n":12345678901234567890\}/, 'number for number');
  });

  it('enqueue adds what is missing, and claim takes it in this order, deferred ones when they are due', async () => {
    const lines =
      '{"id":"b","payload":{"to":"x"}}\n{"id":"a","version":"2"}\n{"id":"z","notBefore":"2999-01-01T00:00:00Z"}\n';
    const first = await ask(bench(), ['enqueue', 'queue', '--ids-file', '-'], 0, lines);
    assert.deepEqual(first, { pool: 'queue', added: 3, known: 0, superseded: 0, refused: [] });
    const again = await ask(bench(), ['enqueue', 'queue', '--ids-file', '-'], 0, `${lines}{"id":"c"}\n`);
    assert.deepEqual(again, { pool: 'queue', added: 1, known: 3, superseded: 0, refused: [] });
    const next = await claim(bench(), ['queue', '--limit', '2']);
    assert.deepEqual(
      next.owned.map(({ id, version, payload }) => [id, version, payload]),
      [
        ['b', '', { to: 'x' }],
        ['a', '2', null],
      ],
    );
    assert.deepEqual(next.refused, []);
    assert.deepEqual(idsOf((await claim(bench(), ['queue'])).owned), ['c']);
  });

  it('begin and verdict: accepted with exit 0, twice the same as once, refused with exit 77', async () => {
    const { owned, ...claimed } = await claim(bench(), ['work', '--ids', 'a,b', '--explicit-begin', '--holder', 'h']);
    assert.equal(owned.length, 2);
    const token = tokenOf({ owned, ...claimed });
    const begun = await ask(bench(), ['begin', 'work', 'a', '--token', token], 0);
    assertFields(begun, 'outcome pool id version attempt begunAt remainingMs reason message');
    assert.deepEqual([begun['outcome'], begun['attempt'], begun['reason']], ['accepted', 1, null]);
    assert.equal((await ask(bench(), ['begin', 'work', 'a', '--token', token], 0))['attempt'], 1);
    const done = ['verdict', 'work', 'a', 'done', '--token', token, '--provider-ref', 're_1'];
    const verdict = await ask(bench(), done, 0);
    assertFields(verdict, 'outcome pool id version state notBefore reason message');
    assert.deepEqual([verdict['outcome'], verdict['state']], ['accepted', 'done']);
    assert.equal((await ask(bench(), done, 0))['outcome'], 'accepted');
    const failed = await ask(bench(), ['verdict', 'work', 'a', 'failed', '--token', token], 77);
    assert.deepEqual([failed['outcome'], failed['reason'], failed['state']], ['refused', 'other_verdict', 'done']);
    const strange = await ask(bench(), ['begin', 'work', 'b', '--token', 'stranger'], 77);
    assert.deepEqual([strange['outcome'], strange['reason']], ['refused', 'not_owner']);
    const unknown = await ask(bench(), ['verdict', 'work', 'nobody', 'done', '--token', token], 77);
    assert.equal(unknown['reason'], 'unknown_record');
    const retried = ['verdict', 'work', 'b', 'failed', '--token', token, '--error', 'HTTP 503\nbusy'];
    await ask(bench(), ['begin', 'work', 'b', '--token', token], 0);
    const later = await ask(bench(), retried, 0);
    assert.deepEqual([later['outcome'], later['state']], ['accepted', 'queued']);
    assert.match(String(later['notBefore']), ISO);
    assert.equal(
      (await claim(bench(), ['work', '--ids', 'a,b'])).refused.map(({ why }) => why).join(),
      'done,not_before',
    );
  });

  it('the token may stand in LEASEHOLD_CLAIM_TOKEN, and the one of a lock is none', async () => {
    const claimed = await claim(bench(), ['env', '--ids', 'a,b']);
    const env = { LEASEHOLD_CLAIM_TOKEN: tokenOf(claimed) };
    assert.equal((await bench().run(['verdict', 'env', 'a', 'done'], { env })).code, 0);
    const ofLock = await bench().run(['verdict', 'env', 'b', 'done'], { env: { LEASEHOLD_TOKEN: tokenOf(claimed) } });
    assert.deepEqual([ofLock.code, ofLock.stdout], [64, '']);
    assert.equal(ofLock.stderr, "leasehold: the claim's token is needed: --token T, or LEASEHOLD_CLAIM_TOKEN\n");
  });

  it('extend renews a claim, and return gives back what was not begun', async () => {
    const claimed = await claim(bench(), ['back', '--ids', 'a,b,c', '--lease', '1m', '--explicit-begin']);
    const token = tokenOf(claimed);
    const extended = await ask(bench(), ['extend', 'back', '--token', token, '--lease', '10m'], 0);
    assertFields(extended, 'outcome pool claimId leaseUntil remainingMs reason message');
    assert.deepEqual([extended['outcome'], extended['claimId']], ['extended', claimed.claimId]);
    assert.ok(Number(extended['remainingMs']) > 590_000);
    await ask(bench(), ['begin', 'back', 'a', '--token', token], 0);
    const returned = await ask(bench(), ['return', 'back', '--token', token], 0);
    assertFields(returned, 'outcome pool claimId returned kept message');
    assert.deepEqual(returned['returned'], [
      { id: 'b', version: '' },
      { id: 'c', version: '' },
    ]);
    assert.deepEqual(returned['kept'], [{ id: 'a', version: '' }]);
    assert.deepEqual(idsOf((await claim(bench(), ['back'])).owned), ['b', 'c']);
    await ask(bench(), ['verdict', 'back', 'a', 'done', '--token', token], 0);
    const lost = await ask(bench(), ['extend', 'back', '--token', token], 77);
    assert.deepEqual([lost['outcome'], lost['reason']], ['lost', 'settled']);
    assert.equal((await ask(bench(), ['return', 'back', '--token', 'stranger'], 77))['outcome'], 'not_holder');
    assert.equal((await ask(bench(), ['extend', 'back', '--token', 'stranger'], 77))['reason'], 'unknown_token');
  });

  it('of a claim without --explicit-begin only those go back that are named', async () => {
    const token = tokenOf(await claim(bench(), ['implied', '--ids', 'a,b']));
    assert.deepEqual((await ask(bench(), ['return', 'implied', '--token', token], 0))['returned'], []);
    const named = await ask(bench(), ['return', 'implied', '--token', token, '--ids', 'b'], 0);
    assert.deepEqual(named['returned'], [{ id: 'b', version: '' }]);
    const mistyped = await ask(bench(), ['return', 'implied', '--token', token, '--ids', 'b,99'], 0);
    assert.match(mistyped.message, /; not in this claim, or settled already: "b", "99"\.$/);
    const [record] = await bench().json<Answer>(['records', 'implied', '--id', 'b']);
    assert.deepEqual([record?.['state'], record?.['attempt'], record?.['begunAt']], ['queued', 0, null]);
  });

  it('the same claim id from the same holder is the same claim, from another one another', async () => {
    await ask(bench(), ['enqueue', 'repeat', '--ids', 'a,b,c'], 0);
    const call = ['repeat', '--claim-id', 'c1', '--limit', '2', '--holder'];
    const first = await claim(bench(), [...call, 'h']);
    const again = await claim(bench(), [...call, 'h']);
    assert.deepEqual([again.token, idsOf(again.owned)], [first.token, ['a', 'b']]);
    assert.deepEqual(idsOf((await claim(bench(), [...call, 'other'])).owned), ['c']);
  });

  it('records: by id and version, a page at a time, with no token and no payload', async () => {
    const lines = ['{"id":"a"}', '{"id":"b","version":"1"}', '{"id":"c","payload":{"secret":"s3cret"}}'].join('\n');
    await ask(bench(), ['enqueue', 'list', '--ids-file', '-'], 0, lines);
    const claimed = await claim(bench(), ['list', '--ids', 'a', '--holder', 'web1']);
    const rows = await bench().json<Answer>(['records', 'list']);
    for (const row of rows) assertFields(row, RECORD_FIELDS);
    assert.deepEqual(
      rows.map((row) => [row['id'], row['version'], row['state'], row['claimedBy']]),
      [
        ['a', '', 'claimed', 'web1'],
        ['b', '1', 'queued', null],
        ['c', '', 'queued', null],
      ],
    );
    const shown = await bench().run(['records', 'list', '--json']);
    assert.ok(!shown.stdout.includes(tokenOf(claimed)) && !shown.stdout.includes('s3cret'));
    const page = await bench().run(['records', 'list', '--limit', '2']);
    assert.match(page.stdout, /^ID +VERSION +STATE +ATTEMPT +CLAIMED BY +UPDATED +PROVIDER REF +ERROR\na .*\nb +1 /);
    assert.match(
      page.stderr,
      /^leasehold: There may be more: leasehold records list --limit 2 --after b --after-version 1 \[/,
    );
    const rest = ['records', 'list', '--limit', '2', '--after', 'b', '--after-version', '1'];
    assert.deepEqual(idsOf(await bench().json<{ id: string }>(rest)), ['c']);
    const queued = await bench().json<{ id: string }>(['records', 'list', '--state', 'queued']);
    assert.deepEqual(idsOf(queued), ['b', 'c']);
    const none = await bench().run(['records', 'list', '--state', 'done']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /^leasehold: No such record of pool "list"\. \[/);
  });

  it('review: listed, decided with a reason, and refused with exit 77 where it cannot be done', async () => {
    const token = tokenOf(await claim(bench(), ['look', '--ids', 'a,b,c', '--holder', 'h']));
    for (const id of ['a', 'b', 'c'])
      await ask(bench(), ['verdict', 'look', id, 'review', '--token', token, '--error', 'odd answer'], 0);
    const rows = await bench().json<Answer>(['review', 'look']);
    for (const row of rows) assertFields(row, RECORD_FIELDS);
    assert.deepEqual(
      rows.map((row) => [row['id'], row['state'], row['error']]),
      ['a', 'b', 'c'].map((id) => [id, 'review', 'h asked for it (odd answer)']),
    );
    const done = ['review', 'look', 'a', 'done', '--reason', 'seen there', '--provider-ref', 're_9'];
    const decided = await ask(bench(), done, 0);
    assertFields(decided, 'outcome pool id version state why message');
    assert.deepEqual([decided['outcome'], decided['state']], ['accepted', 'done']);
    assert.equal((await ask(bench(), ['review', 'look', 'b', 'fail', '--reason', 'r'], 0))['state'], 'failed');
    assert.equal((await ask(bench(), ['review', 'look', 'b', 'requeue', '--reason', 'r'], 0))['state'], 'queued');
    const asked = await ask(bench(), ['review', 'look', 'c', 'ask', '--reason', 'r'], 77);
    assert.equal(asked['why'], 'no_verifier');
    const again = await ask(bench(), ['review', 'look', 'a', 'requeue', '--reason', 'r'], 77);
    assert.deepEqual([again['outcome'], again['why']], ['refused', 'wrong_state']);
    assert.equal((await ask(bench(), ['review', 'look', 'x', 'fail', '--reason', 'r'], 77))['why'], 'no_such_record');
    const text = await bench().run(['review', 'look']);
    assert.match(text.stdout, /^ID .*\nc +- +review +1 +h +.* h asked for it \(odd answer\)\n$/);
    assert.match(
      text.stderr,
      /^leasehold: Look at the provider, then decide: leasehold review look ID done\|requeue\|fail --reason TEXT \[/,
    );
    await ask(bench(), ['review', 'look', 'c', 'fail', '--reason', 'r'], 0);
    const none = await bench().run(['review', 'look']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /^leasehold: No record of pool "look" is in review\. \[/);
  });

  it('to people: what was enqueued, when a record is due, and what is owned', async () => {
    const lines = '{"id":"a","notBefore":"2999-01-01T00:00:00Z"}\n{"id":"b","version":"1"}\n';
    const first = await bench().run(['enqueue', 'text', '--ids-file', '-'], { stdin: lines });
    assert.match(first.stdout, /^Enqueued 2 records in pool "text"\. \[/);
    const again = await bench().run(['enqueue', 'text', '--ids-file', '-'], {
      stdin: `${lines}{"id":"b","version":"2"}`,
    });
    assert.match(again.stdout, /^Enqueued 1 record in pool "text", 2 known before; 1 older version was cancelled\. \[/);
    const listed = await bench().run(['records', 'text']);
    assert.match(listed.stdout, /^a +- +queued, not before 2999-01-01 00:00:00Z +0 +- /m);
    assert.match(listed.stdout, /^b +1 +cancelled +0 +- .* superseded by a newer version$/m);
    const claimed = await bench().run(['claim', 'text', '--ids', 'a,b']);
    assert.match(
      claimed.stdout,
      /^Claimed \d+ of 2 records offered to pool "text"[^\n]*\nID +VERSION +ATTEMPT +EFFECT KEY\n/,
    );
    assert.match(claimed.stderr, /^leasehold: Not given: record "a": it waits until 2999-01-01T00:00:00\.000Z\. \[/m);
    const none = await bench().run(['claim', 'text']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /^leasehold: Claimed nothing of pool "text": no record of its queue may be had now\. \[/);
  });

  it('a namespace of the configuration makes other effect keys; one that is none is exit 78', async () => {
    const file = join(bench().folder, 'staging.json');
    const expected = (id: string, namespace: string): string =>
      effectKeyOf(
        createHash('sha256')
          .update(effectKeyText(namespace, 'namespaced', { id, version: '' }))
          .digest(),
      );
    const config = ['--config', file];
    writeFileSync(file, JSON.stringify({ namespace: 'staging' }));
    await ask(bench(), ['enqueue', 'namespaced', '--ids', 'a', ...config], 0);
    await ask(bench(), ['enqueue', 'namespaced', '--ids', 'b'], 0);
    const { owned } = await claim(bench(), ['namespaced', '--ids', 'a,b,c', ...config]);
    assert.deepEqual(
      owned.map(({ effectKey }) => effectKey),
      [expected('a', 'staging'), expected('b', ''), expected('c', 'staging')],
    );
    writeFileSync(file, JSON.stringify({ namespace: 7 }));
    const refused = await bench().run(['claim', 'namespaced', ...config]);
    const says = `configuration ${file} is refused: namespace must be text, got number`;
    assert.deepEqual([refused.code, refused.stdout, refused.stderr], [78, '', `leasehold: ${says}\n`]);
    const { stdout } = await bench().run(['doctor', ...config]);
    assert.ok(stdout.includes(`${says}. No record can be claimed here until it is mended.`), stdout);
    assert.match(stdout, /^problem +namespace +configuration /m);
  });

  it('more ids than a claim can have are no ids to return', async () => {
    const stdin = Array.from({ length: 10_001 }, (_, at) => at).join('\n');
    const refused = await bench().run(['return', 'back', '--token', 't', '--ids-file', '-'], { stdin });
    const says = 'leasehold: 10001 ids were given; a claim has at most 10000\n';
    assert.deepEqual([refused.code, refused.stdout, refused.stderr], [64, '', says]);
  });
}
