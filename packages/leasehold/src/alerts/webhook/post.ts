import type { IncomingMessage } from 'node:http';

/** What of an answer decides. */
export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** What a receiver says beyond its status is of no use; one that never stops saying it is cut off. */
const BODY_BYTES_MAX = 65_536;
const BODY_IDLE_MS_MAX = 5_000;

/**
 * One POST on a connection of its own; no redirect is followed, no proxy asked. Resolves with the answer's head, rejects
 * with the system's error, and when `signal` fires. The modules are loaded here: most processes send nothing.
 */
export async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return await new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null });
      drain(response);
    });
    call.on('error', reject);
    call.end(body);
  });
}

function drain(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) response.destroy();
  });
  response.setTimeout(BODY_IDLE_MS_MAX, () => response.destroy());
}
