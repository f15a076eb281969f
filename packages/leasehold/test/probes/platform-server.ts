/** A real HTTP server that answers as a test says, and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlatformServer extends AsyncDisposable {
  readonly url: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** How the next requests are answered. */
  answer: RequestListener;
}

export async function openPlatform(answer: RequestListener = () => {}): Promise<PlatformServer> {
  const asked: PlatformServer['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    platform.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: PlatformServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return platform;
}

/** Answers 200 with this as JSON. */
export function json(value: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
}
