/** Commands of a claim whose store lets nobody in when they begin. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { describe, it } from 'node:test';
import { createDatabase } from '../../postgres.ts';
import { openInProcess } from './in-process.ts';
import { type Asked, claim, idsOf, tokenOf } from './answers.ts';

/** A way to a server that is closed until it is opened, as a database's address is while it fails over. */
async function openWay(url: string): Promise<{ url: string; open(): Promise<void>; close(): void }> {
  const { hostname, port } = new URL(url);
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const line of [near, far]) line.on('error', () => {});
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const way = new URL(url);
  way.hostname = '127.0.0.1';
  way.port = String(address.port);
  return {
    url: way.href,
    async open() {
      server.listen(address.port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: () => void server.close(),
  };
}

describe('a store that lets nobody in', () => {
  const COMMANDS: readonly (readonly [name: string, of: (id: string) => readonly string[], says: RegExp])[] = [
    ['begin', (id) => ['begin', 'p', id], /^Began attempt 1 of record "a"/],
    ['extend', () => ['extend', 'p'], /^Extended claim /],
    ['verdict', (id) => ['verdict', 'p', id, 'done'], /^Record "a" of pool "p" is done/],
    ['return', () => ['return', 'p'], /^Gave 0 records/],
  ];

  it('when a begin, an extension, a verdict or a return is given is waited for', async () => {
    await using database = await createDatabase(18);
    using straight: Asked & Disposable = openInProcess(database.url);
    await straight.run(['migrate']);
    const answer = await claim(straight, ['p', '--ids', 'a', '--explicit-begin']);
    const [id = ''] = idsOf(answer.owned);
    for (const [name, of, says] of COMMANDS) {
      const way = await openWay(database.url);
      using bench = openInProcess(way.url);
      const ending = bench.run([...of(id), '--token', tokenOf(answer)]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await way.open();
      const { code, stdout, stderr } = await ending;
      way.close();
      assert.equal(code, 0, `${name}: ${stderr}`);
      assert.match(stdout, says);
      assert.match(stderr, /^leasehold: [^\n]*; waiting for it for at most 10s\n$/);
    }
  });
});
