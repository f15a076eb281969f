/**
 * A TCP line between a client and its server that a test can break: the network of an outage.
 *
 * What a line that hangs has swallowed is not lost: TCP sends it again, so it arrives when the line is whole again,
 * perhaps long after its sender gave up. That is how a partition ends, and the store must bear it.
 */
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

export type Weather =
  /** Everything passes. */
  | 'clear'
  /** Nobody listens any more, and open connections are cut. */
  | 'refuses'
  /** Connections are accepted, and nothing passes in either direction. */
  | 'hangs'
  /** Each connection is reset, new ones as soon as they are there. */
  | 'resets'
  /** A statement reaches the server and is carried out; its answer is lost, and the connection with it. */
  | 'loses answers';

export interface BadLine extends AsyncDisposable {
  /** The URL of the server as a client reaches it by this line. */
  readonly url: string;
  become(weather: Weather): Promise<void>;
  /** Breaks as the next statement comes by, which meets it; resolves then. */
  becomeAtStatement(weather: Exclude<Weather, 'clear'>): Promise<void>;
}

interface Wire {
  readonly client: Socket;
  /** Null until the line was clear for the first time since it was accepted. */
  server: Socket | null;
  /** True once a statement went out whose answer is to be lost. */
  losesAnswer: boolean;
}

/** The first byte of a message that asks something of the server: Parse, and simple Query. */
const STATEMENTS = new Set([0x50, 0x51]);

/** Opens a line to the server of this URL; clear at first. */
export async function openBadLine(target: string): Promise<BadLine> {
  const url = new URL(target);
  const upstream = { host: url.hostname, port: Number(url.port) };
  const wires = new Set<Wire>();
  let weather: Weather = 'clear';
  let onStatement: (() => void) | null = null;

  const cut = (wire: Wire): void => {
    wires.delete(wire);
    wire.client.resetAndDestroy();
    wire.server?.resetAndDestroy();
  };
  const connectWire = (wire: Wire): void => {
    const server = connect(upstream);
    wire.server = server;
    wire.client.on('data', (chunk: Buffer) => {
      if (STATEMENTS.has(chunk[0] ?? 0)) onStatement?.();
      if (wire.client.isPaused()) {
        wire.client.unshift(chunk);
        return;
      }
      wire.losesAnswer ||= weather === 'loses answers' && STATEMENTS.has(chunk[0] ?? 0);
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => (wire.losesAnswer ? cut(wire) : wire.client.write(chunk)));
    server.on('error', () => cut(wire)).on('close', () => wire.client.end());
    wire.client.on('close', () => server.end());
  };
  const accept = (client: Socket): void => {
    const wire: Wire = { client, server: null, losesAnswer: false };
    wires.add(wire);
    client.on('error', () => cut(wire)).on('close', () => wires.delete(wire));
    if (weather === 'resets') cut(wire);
    else if (weather === 'hangs') client.pause();
    else connectWire(wire);
  };

  let listener = await listen(accept, 0);
  const { port } = listener.address() as AddressInfo;
  url.port = String(port);

  const change = (next: Weather): void => {
    const before = weather;
    weather = next;
    if (next === 'refuses' && before !== 'refuses') listener.close();
    for (const wire of wires) {
      if (next === 'refuses' || next === 'resets') cut(wire);
      else if (next === 'hangs') pause(wire);
      else if (before === 'hangs') {
        if (wire.server === null) connectWire(wire);
        resume(wire);
      }
    }
  };
  return {
    url: url.href,
    async become(next) {
      const isBack = weather === 'refuses' && next !== 'refuses';
      if (isBack) listener = await listen(accept, port);
      change(next);
    },
    becomeAtStatement: (next) =>
      new Promise((resolve) => {
        onStatement = () => {
          onStatement = null;
          change(next);
          resolve();
        };
      }),
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const wire of wires) cut(wire);
    },
  };
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function pause({ client, server }: Wire): void {
  client.pause();
  server?.pause();
}

function resume({ client, server }: Wire): void {
  client.resume();
  server?.resume();
}
