/**
 * A real HTTP server that counts by itself what arrives, and answers as it is told. It ends with its test.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body, read as an alert. */
  readonly alert: Readonly<Record<string, unknown>>;
}

export type Answer = (response: ServerResponse, request: Received) => void;

export const answers =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end('receiver says: hunter2');
  };
/** Takes the request and never answers. */
export const hangs: Answer = () => {};
/** Takes the request, and cuts the connection. */
export const resets: Answer = (response) => void (response.socket as Socket).resetAndDestroy();

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** How requests are answered, from the next one on. */
  answer: Answer = answers(204);
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const alert = JSON.parse(body === '' ? '{}' : body) as Record<string, unknown>;
      const { url: path = '', method = '', headers } = request;
      const received = { path, method, headers, body, alert };
      this.received.push(received);
      this.answer(response, received);
    });
  });

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/hook?key=hunter2`;
  }

  /** Kinds of what arrived, in its order. */
  get kinds(): unknown[] {
    return this.received.map(({ alert }) => alert['kind']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
