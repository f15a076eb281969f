import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Where the demo's effects arrive: an HTTP server on 127.0.0.1 that counts by itself how often each
 * customer was mailed. Nobody tells it what to expect.
 */
export interface Target {
  readonly url: string;
  /** Mails by customer since the last call of `reset`. */
  readonly mails: ReadonlyMap<string, number>;
  reset(): void;
  close(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  const mails = new Map<string, number>();
  const server = createServer((request, response) => receive(mails, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    mails,
    reset: () => mails.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function receive(mails: Map<string, number>, request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const customer = /^\/mails\/(\d+)$/.exec(request.url ?? '')?.[1];
  if (request.method !== 'POST' || customer === undefined) {
    response.writeHead(404).end();
    return;
  }
  mails.set(customer, (mails.get(customer) ?? 0) + 1);
  response.writeHead(201).end();
}
