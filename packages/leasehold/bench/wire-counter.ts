/**
 * A TCP proxy in front of PostgreSQL that counts round trips, each of which the server ends with one ReadyForQuery
 * message, and the statements that it completed. What a client believes of itself is not asked.
 */
import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface WireCounter extends AsyncDisposable {
  readonly url: string;
  /** Round trips since the last call of either. */
  take(): number;
  /** Round trips and statements since the last call of either. */
  takeBoth(): { readonly roundTrips: number; readonly statements: number };
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const COMMAND_COMPLETE = 'C'.charCodeAt(0);

export async function countRoundTrips(serverUrl: string): Promise<WireCounter> {
  const target = new URL(serverUrl);
  let roundTrips = 0;
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const counter = messageCounter((type) => {
      if (type === READY_FOR_QUERY) roundTrips += 1;
      else if (type === COMMAND_COMPLETE) statements += 1;
    });
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
  const takeBoth = (): { roundTrips: number; statements: number } => {
    const taken = { roundTrips, statements };
    roundTrips = 0;
    statements = 0;
    return taken;
  };
  return {
    url: url.href,
    take: () => takeBoth().roundTrips,
    takeBoth,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Cuts a stream into the server's messages (type byte, then a length that counts itself) and tells the type of each. */
function messageCounter(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      onMessage(rest[0] ?? 0);
      rest = rest.subarray(length);
    }
  };
}
