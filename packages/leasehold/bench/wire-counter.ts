/**
 * A TCP proxy in front of PostgreSQL that counts round trips: the server ends each with one
 * ReadyForQuery message. What a client believes of itself is not asked.
 */
import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface WireCounter extends AsyncDisposable {
  readonly url: string;
  /** Round trips since the last call. */
  take(): number;
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);

export async function countRoundTrips(serverUrl: string): Promise<WireCounter> {
  const target = new URL(serverUrl);
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const counter = messageCounter(() => (count += 1));
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      counter(chunk);
      client.write(chunk);
    });
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((end) => end.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Cuts a stream into the server's messages (type byte, then a length that counts itself) and tells of each ReadyForQuery. */
function messageCounter(onReady: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      if (rest[0] === READY_FOR_QUERY) onReady();
      rest = rest.subarray(length);
    }
  };
}
