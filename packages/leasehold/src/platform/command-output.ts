import { fstatSync, readFileSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import { AsideWriter } from './aside-writer.ts';

/**
 * stdout or stderr of a command line. A reader that went away (EPIPE) never ends a command: a guard that
 * died of a closed pipe would leave its lock behind and its child unguarded. Who needs to know is told
 * what became of each write.
 */
export class CommandOutput {
  readonly #descriptor: 1 | 2;
  readonly #stream: NodeJS.WriteStream;
  /** The first error; the stream takes nothing after it. */
  #errorCode: string | null = null;
  #aside: AsideWriter | null = null;

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
    this.#stream = descriptor === 1 ? process.stdout : process.stderr;
    this.#stream.on('error', (error: Error) => this.#note(error));
  }

  /** Resolves when written, with null or the code of the error. */
  write(text: string | Uint8Array): Promise<string | null> {
    if (this.#aside !== null) return this.#writeAside(this.#aside, text);
    return new Promise((resolve) => {
      const stream = this.#stream;
      if (this.#errorCode !== null || stream.destroyed || !stream.writable) resolve(this.#errorCode ?? 'EPIPE');
      else
        stream.write(text, (error) => {
          if (error !== null && error !== undefined) this.#note(error);
          resolve(this.#errorCode);
        });
    });
  }

  /** From now on no write stands still with a reader that has stalled. A file never does. */
  goAside(): void {
    if (this.#aside === null && mayStall(this.#descriptor)) this.#aside = new AsideWriter(this.#descriptor);
  }

  async finish(): Promise<void> {
    await this.#aside?.finish();
  }

  async #writeAside(aside: AsideWriter, text: string | Uint8Array): Promise<null> {
    if (typeof text === 'string') aside.say(text);
    else await aside.write(text);
    return null;
  }

  #note(error: Error): void {
    this.#errorCode ??= (error as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}

/** Pipes, sockets and terminals have readers; files, /dev/null and /dev/full have none. */
function mayStall(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return isatty(descriptor) || !(stat.isFile() || stat.isCharacterDevice() || stat.isBlockDevice());
  } catch {
    return false;
  }
}

/**
 * True where stdout was closed when this process began. Node.js then opens /dev/null in its place, for
 * reading and writing, which a shell's `>/dev/null` does not. A parent that closes by the same means
 * looks alike. False where there is no /proc.
 */
export function isStdoutClosed(): boolean {
  try {
    const stat = fstatSync(1);
    if (!stat.isCharacterDevice() || stat.rdev !== statSync('/dev/null').rdev) return false;
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) === 2;
  } catch {
    return false;
  }
}
