/** `work` and `alert test`, and what is told directly where the store is away. */
import assert from 'node:assert/strict';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { answers, Receiver } from '../alerts/receiver.ts';
import { adminUrl, createDatabase, POSTGRES_VERSIONS } from '../postgres.ts';
import { openAlertBench } from './alert-bench.ts';
import { linesOf, openBench, until } from './command-line.ts';

const NEWEST = POSTGRES_VERSIONS.at(-1) ?? 18;

/** A way to a server that can be closed and opened, always at one port. */
class Gate implements AsyncDisposable {
  readonly port: number;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  private constructor(port: number, target: URL) {
    this.port = port;
    this.#target = target;
  }

  static async reserve(target: string): Promise<Gate> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return new Gate(port, new URL(target));
  }

  async open(): Promise<void> {
    this.#server = createServer((socket) => {
      const on = createConnection(Number(this.#target.port), this.#target.hostname);
      for (const each of [socket, on]) this.#sockets.add(each.on('error', () => {}));
      socket.pipe(on).pipe(socket);
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

describe('work', () => {
  it('delivers what comes until TERM, says what it did, and ends with 0', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    await bench.run(['pause', 'a']);
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    const working = bench.start(['work']);
    await until('the first alert has arrived', () => receiver.received.length === 1);
    // Without channels of its own, so that the worker is the one who delivers.
    await bench.run(['pause', 'b'], {
      env: { LEASEHOLD_CONFIG: undefined, HOME: bench.folder, XDG_CONFIG_HOME: undefined },
    });
    await until('the second alert has arrived', () => receiver.received.length === 2);
    working.kill('SIGTERM');
    const ended = await working.ended;
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, 'Delivered 1 alert.\nDelivered 1 alert.\n', '']);
  });

  it('--once does what is due and ends; with --json an object for each duty that did something', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    await bench.run(['pause', 'a']);
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    receiver.answer = answers(500);
    const failed = await bench.run(['work', '--once', '--json']);
    assert.deepEqual(JSON.parse(failed.stdout), {
      duty: 'alerts',
      delivered: 0,
      unwanted: 0,
      failed: 1,
      dead: 0,
      failures: { ops: `${receiver.host} answered 500` },
    });
    const idle = await bench.run(['work', '--once', '--json']);
    assert.deepEqual([idle.code, idle.stdout, idle.stderr], [0, '', '']);
  });

  it('says of what no channel wanted that it was settled, and of what failed for a day that it is given up', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    await bench.run(['pause', 'a']);
    bench.configure({ pager: { type: 'webhook', url: receiver.url, minSeverity: 'critical' } });
    assert.equal((await bench.run(['work', '--once'])).stdout, 'No channel wanted 1 alert.\n');
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    receiver.answer = answers(500);
    await bench.run(['pause', 'b']);
    bench.change('update events set at = at - 90000000; update alerts set next_attempt_at = 0, taken_until = null');
    assert.equal(
      (await bench.run(['work', '--once'])).stdout,
      `1 alert could not be delivered for 24h and will not be tried again (ops: ${receiver.host} answered 500).\n`,
    );
  });

  it('says so where no channel is configured', async () => {
    await using bench = openAlertBench();
    const { code, stderr } = await bench.run(['work', '--once']);
    assert.equal(code, 0);
    assert.equal(
      stderr,
      'leasehold: no channel is configured, so alerts stay undelivered; see "alerts" in a configuration file\n',
    );
  });

  it('survives an outage of its store: says it once, tells the channels once, and goes on when it is back', async () => {
    await using database = await createDatabase(NEWEST);
    await using gate = await Gate.reserve(adminUrl(NEWEST));
    await using receiver = await Receiver.open();
    const url = new URL(database.url);
    url.port = String(gate.port);
    await using direct = openBench(database.url);
    assert.equal((await direct.run(['migrate'])).code, 0);
    await direct.run(['pause', 'a']);
    await using bench = openAlertBench(url.href);
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    const working = bench.start(['work']);
    await until('the outage is told', () => receiver.received.length === 1);
    await until('it was asked again', () => working.stderr() !== '');
    await gate.open();
    await until('the alert has arrived', () => receiver.received.length === 2);
    working.kill('SIGINT');
    const { code, stderr } = await working.ended;
    assert.equal(code, 0);
    assert.deepEqual(receiver.kinds, ['store.unreachable', 'lock.paused']);
    assert.match(
      stderr,
      /^leasehold: Store \S+ can't be reached .*; asking again.*\nleasehold: The store can be reached again\./,
    );
    assert.equal(linesOf(stderr).length, 2);
    const once = await bench.run(['work', '--once']);
    assert.equal(once.code, 0);
    await gate.close();
    assert.equal((await bench.run(['work', '--once'])).code, 69);
  });
});

describe('a store that can’t be reached', () => {
  it('is told to the channels directly by what can’t start, once an hour, with the lock and without secrets', async () => {
    await using bench = openAlertBench('postgres://jobs:hunter2@127.0.0.1:9/jobs');
    await using receiver = await Receiver.open();
    await using deaf = await Receiver.open();
    bench.configure({
      ops: { type: 'webhook', url: receiver.url },
      other: { type: 'webhook', url: deaf.url, kinds: ['run.skipped'] },
    });
    receiver.answer = answers(500);
    const unheard = await bench.run(['run', 'job', '--', 'echo', 'ran']);
    assert.deepEqual([unheard.code, unheard.stdout], [69, '']);
    receiver.answer = answers(204);
    for (const command of [
      ['run', 'job', '--', 'echo', 'ran'],
      ['acquire', 'job', '--lease', '1m'],
      ['run', 'b', '--', 'true'],
    ]) {
      const { code, stdout, stderr } = await bench.run(command);
      assert.deepEqual([code, stdout], [69, '']);
      assert.match(stderr, /can't be reached .*; nothing was started/);
    }
    assert.deepEqual(
      receiver.kinds,
      ['store.unreachable', 'store.unreachable'],
      'until it was confirmed, and then no more',
    );
    const [first, second] = receiver.received.map(({ alert }) => alert);
    assert.deepEqual([first?.['id'], first?.['lock'], first?.['severity']], [second?.['id'], 'job', 'critical']);
    assert.match(
      String(first?.['text']),
      /^Nothing starts on \S+ until this is mended: Store postgres:\/\/\S+ can't be reached/,
    );
    assert.doesNotMatch(JSON.stringify(first), /hunter2/);
    assert.equal(deaf.received.length, 0);
    const asked = await bench.run(['status']);
    assert.deepEqual([asked.code, receiver.received.length], [69, 2], 'who only asks tells nobody');
  });
});

describe('alert test', () => {
  it('sends through the channel and says what came back: 0, 69 or 78', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    bench.configure({ ops: { type: 'webhook', url: receiver.url, minSeverity: 'critical' } });
    const arrived = await bench.run(['alert', 'test', 'ops']);
    assert.deepEqual([arrived.code, arrived.stderr], [0, '']);
    assert.equal(arrived.stdout, `The test alert arrived at channel "ops": ${receiver.host} answered 204.\n`);
    assert.match(
      String(receiver.received[0]?.alert['text']),
      /^This is a test alert from \S+: channel "ops" works, and nothing is to be done\.$/,
    );
    receiver.answer = answers(403);
    const refused = await bench.run(['alert', 'test', 'ops']);
    assert.deepEqual([refused.code, refused.stdout], [69, '']);
    assert.equal(
      refused.stderr,
      `leasehold: the test alert did not arrive at channel "ops": ${receiver.host} answered 403\n`,
    );
    const json = await bench.run(['alert', 'test', 'ops', '--json']);
    assert.deepEqual(
      [json.code, JSON.parse(json.stdout), json.stderr],
      [69, { channel: 'ops', confirmed: false, said: `${receiver.host} answered 403` }, ''],
    );
    const unknown = await bench.run(['alert', 'test', 'opps']);
    assert.deepEqual([unknown.code, unknown.stdout], [78, '']);
    assert.equal(unknown.stderr, 'leasehold: no channel "opps" is configured; there are: ops\n');
    bench.configure({});
    assert.equal(
      (await bench.run(['alert', 'test', 'ops'])).stderr,
      'leasehold: no channel "ops" is configured; write {"alerts": {"channels": {"NAME": {"type": "webhook", "url": "https://…"}}}} into a configuration file\n',
    );
    assert.equal((await bench.run(['alert', 'tset', 'ops'])).code, 64);
  });
});
