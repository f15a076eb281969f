import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Writes to a stream of this process by a process beside it, so that a reader who has stalled holds up
 * that one and never this one. A stream can't be made safe from within: it shares its mode with every
 * process that inherited it, and Node.js, starting a child, makes it a blocking one; `write` then stands
 * still with the whole event loop. Threads would not do either, since a process that exits waits for them.
 *
 * Identity: the writer is in a session of its own, so that signals for our group or our command's don't
 * reach it, and takes no notice of those that end a service, because the last messages come after them.
 * Crash: its input ends with this process; it writes out what it has and ends.
 */
const WRITER = ['sh', '-c', "trap '' HUP INT QUIT TERM; exec cat"] as const;
/** Where there is no shell. */
const WRITER_OF_NODE = [
  process.execPath,
  '-e',
  `for (const s of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM']) process.on(s, () => {}); process.stdin.pipe(process.stdout);`,
] as const;

/** Messages wait here for a stalled reader, besides what the pipes hold; further ones are dropped and counted. */
const WAITING_BYTES_MAX = 65_536;
/** At the end a stalled reader gets so long for messages, and so long where it reads the output of a command. */
const LAST_MESSAGES_MS = 2_000;
const LAST_OUTPUT_MS = 60_000;

/** The writer of one stream; started with the first text. */
export class AsideWriter {
  readonly #descriptor: 1 | 2;
  #writer: ChildProcess | null = null;
  #dropped = 0;
  /** Of messages alone: output of a command waits for room by itself, and must not crowd them out. */
  #waitingBytes = 0;
  #endMs = LAST_MESSAGES_MS;

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
  }

  /** Hands a message over, or drops it where too many wait. Never waits. */
  say(text: string): void {
    const input = this.#open();
    if (this.#waitingBytes > WAITING_BYTES_MAX) {
      this.#dropped += 1;
      return;
    }
    this.#sayDropped(input);
    const bytes = Buffer.from(text);
    this.#waitingBytes += bytes.length;
    input.write(bytes, () => {
      this.#waitingBytes -= bytes.length;
    });
  }

  /** Hands on output of a command; resolves when there is room for more, also where nobody reads any more. */
  write(bytes: Uint8Array): Promise<void> {
    this.#endMs = LAST_OUTPUT_MS;
    const input = this.#open();
    return new Promise((resolve) => {
      if (input.destroyed) resolve();
      else input.write(bytes, () => resolve());
    });
  }

  /** Resolves when all is written, or after 2 s (60 s for output of a command); what is left then is lost. */
  async finish(): Promise<void> {
    const writer = this.#writer;
    if (writer?.stdin === null || writer?.stdin === undefined || writer.stdin.destroyed) return;
    const { stdin } = writer;
    this.#sayDropped(stdin);
    stdin.end();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#endMs);
      writer.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    writer.kill('SIGKILL');
  }

  #sayDropped(input: Writable): void {
    if (this.#dropped === 0) return;
    input.write(`leasehold: ${this.#dropped} messages were dropped here, because nobody read them\n`);
    this.#dropped = 0;
  }

  #open(): Writable {
    this.#writer ??= startWriter(this.#descriptor);
    // A writer that did not start has an input all the same, which is destroyed and takes anything.
    return this.#writer.stdin as Writable;
  }
}

function startWriter(descriptor: 1 | 2): ChildProcess {
  for (const [file, ...args] of [WRITER, WRITER_OF_NODE]) {
    const writer = spawn(file, args, { stdio: ['pipe', descriptor, 'ignore'], detached: true });
    writer.on('error', () => {});
    writer.stdin?.on('error', () => {});
    writer.once('exit', () => writer.stdin?.destroy());
    if (writer.pid !== undefined || file === process.execPath) return writer;
  }
  throw new Error('there is always a last writer');
}
