/** The webhook against real servers, good and bad: what is sent, what counts as arrived, and what is never said. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { webhookChannel } from '../../src/alerts/webhook/channel.ts';
import { retryAfterMs } from '../../src/alerts/webhook/retry-after.ts';
import { signatureOf } from '../../src/alerts/webhook/signature.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import type { SendAnswer } from '../../src/ports/channel.ts';
import { answers, hangs, Receiver, resets } from './receiver.ts';
import { sampleMessage } from './sample.ts';

const FILTER = { minSeverity: 'warning', kinds: null } as const;

function send(url: string, options: { secret?: string; forMs?: number } = {}): Promise<SendAnswer> {
  const { secret = null, forMs = 5_000 } = options;
  const channel = webhookChannel({ type: 'webhook', name: 'ops', url, secret, filter: FILTER }, systemClock);
  return channel.send(sampleMessage(), AbortSignal.timeout(forMs));
}

describe('a webhook', () => {
  it('POSTs the alert as JSON, under an id that is the same at every attempt', async () => {
    await using receiver = await Receiver.open();
    assert.deepEqual(await send(receiver.url), { confirmed: true, said: `${receiver.host} answered 204` });
    await send(receiver.url);
    const [first, second] = receiver.received;
    assert.deepEqual([first?.method, first?.path], ['POST', '/hook?key=hunter2']);
    assert.equal(first?.headers['content-type'], 'application/json');
    assert.equal(first?.headers['leasehold-alert-id'], 'a1b2c3d4e5f60718293a4b5c6d7e8f90');
    assert.equal(second?.headers['leasehold-alert-id'], first?.headers['leasehold-alert-id']);
    assert.equal(first?.headers['leasehold-signature'], undefined, 'not signed without a secret');
    assert.deepEqual(first?.alert, {
      id: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
      attempt: 2,
      dedupKey: 'run.skip_streak "nächtlich" "run-1"',
      store: 'sqlite:/jobs/leasehold.db',
      eventId: 7,
      at: '2026-01-05T03:00:00.000Z',
      kind: 'run.skip_streak',
      severity: 'critical',
      lock: 'nächtlich',
      runId: 'run-4',
      holder: 'web1:4711',
      message: 'Lock "nächtlich" is stuck.',
      text: 'Lock "nächtlich" is stuck; look at it.',
      data: { skipsInRow: 3, currentRunId: 'run-1' },
    });
  });

  it('is signed: HMAC-SHA256 of timestamp, dot and body, by the secret', async () => {
    await using receiver = await Receiver.open();
    await send(receiver.url, { secret: 'Geheimnis ✓' });
    const [received] = receiver.received;
    assert.ok(received !== undefined);
    const { headers, body } = received;
    const timestamp = String(headers['leasehold-timestamp']);
    assert.ok(Math.abs(Number(timestamp) * 1_000 - systemClock.read().wallMs) < 60_000, timestamp);
    const expected = createHmac('sha256', 'Geheimnis ✓').update(`${timestamp}.${body}`).digest('hex');
    assert.equal(headers['leasehold-signature'], `sha256=${expected}`);
    assert.doesNotMatch(JSON.stringify([headers, body]), /Geheimnis/);
    assert.notEqual(signatureOf('Geheimnis ✓', '1', body), signatureOf('Geheimnis ✓', '2', body));
  });

  it('has arrived by a 2xx and by nothing else', async () => {
    await using receiver = await Receiver.open();
    for (const status of [200, 201, 202, 204, 299]) {
      receiver.answer = answers(status);
      assert.equal((await send(receiver.url)).confirmed, true, String(status));
    }
    for (const status of [304, 400, 401, 404, 410, 429, 500, 502, 503]) {
      receiver.answer = answers(status);
      const answer = await send(receiver.url);
      assert.equal(answer.confirmed, false, String(status));
      assert.match(answer.said, new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}`));
    }
  });

  it('follows no redirect: the other place hears nothing', async () => {
    await using receiver = await Receiver.open();
    await using elsewhere = await Receiver.open();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = answers(status, { Location: elsewhere.url });
      const answer = await send(receiver.url);
      assert.deepEqual(
        [answer.confirmed, answer.said],
        [false, `${receiver.host} answered ${status}, and redirects are not followed`],
      );
    }
    assert.deepEqual([receiver.received.length, elsewhere.received.length], [5, 0]);
  });

  it('waits as long as Retry-After says, in seconds or until a date', async () => {
    await using receiver = await Receiver.open();
    receiver.answer = answers(429, { 'Retry-After': '120' });
    const answer = await send(receiver.url);
    assert.ok(!answer.confirmed && answer.retryAfterMs === 120_000, JSON.stringify(answer));
    const now = Date.parse('2026-01-05T00:00:00Z');
    assert.equal(retryAfterMs('Mon, 05 Jan 2026 00:10:00 GMT', now), 600_000);
    for (const useless of ['Mon, 05 Jan 2026 00:00:00 GMT', 'soon', '-5', '1e9', '', null]) {
      assert.equal(retryAfterMs(useless, now), null, String(useless));
    }
  });

  it('that is not answered in time has not arrived', async () => {
    await using receiver = await Receiver.open();
    receiver.answer = hangs;
    const begun = performance.now();
    const answer = await send(receiver.url, { forMs: 300 });
    assert.deepEqual([answer.confirmed, answer.said], [false, `${receiver.host} did not answer in time`]);
    assert.ok(performance.now() - begun < 2_000);
  });

  it('that gets its status at once has arrived, however long the rest of the answer takes', async () => {
    await using receiver = await Receiver.open();
    receiver.answer = (response) => void response.writeHead(200).write('and so on');
    assert.equal((await send(receiver.url)).confirmed, true);
  });

  it('whose head drips in byte by byte is given up in time', async () => {
    const drip: Server = createServer((socket) => {
      socket.on('error', () => {});
      const timer = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => drip.listen(0, '127.0.0.1', resolve));
    try {
      const answer = await send(`http://127.0.0.1:${(drip.address() as AddressInfo).port}/`, { forMs: 300 });
      assert.match(answer.said, /did not answer in time$/);
    } finally {
      drip.close();
    }
  });

  it('to a server whose certificate nobody knows is not sent', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-tls-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
      ].concat(['-keyout', key, '-out', cert]),
    );
    if (made.status !== 0) return t.skip('openssl is not there to make a certificate');
    let requests = 0;
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { host } = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const answer = await send(`https://${host}/`);
    assert.deepEqual([answer.confirmed, answer.said], [false, `${host}: DEPTH_ZERO_SELF_SIGNED_CERT`]);
    assert.equal(requests, 0);
    return undefined;
  });

  it('says of a failure the host and a word, never the path, a secret or what the receiver said', async () => {
    await using receiver = await Receiver.open();
    const said: string[] = [];
    for (const answer of [answers(500), resets]) {
      receiver.answer = answer;
      said.push((await send(receiver.url, { secret: 'hunter2' })).said);
    }
    const tls = receiver.url.replace('http:', 'https:').replace('127.', 'user:hunter2@127.');
    said.push((await send(tls)).said);
    said.push((await send('http://127.0.0.1:9/hunter2')).said);
    said.push((await send('http://no-such-host.invalid/hunter2')).said);
    assert.deepEqual(said.slice(0, 2), [`${receiver.host} answered 500`, `${receiver.host}: ECONNRESET`]);
    assert.match(said[2] ?? '', /^127\.0\.0\.1:\d+: \w+$/, 'a server without TLS');
    assert.equal(said[3], '127.0.0.1:9: ECONNREFUSED');
    assert.match(said[4] ?? '', /^no-such-host\.invalid: \w+$/);
    assert.doesNotMatch(said.join('\n'), /hunter2/);
  });
});
