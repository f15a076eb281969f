import type { Readable } from 'node:stream';
import { elapsedMs } from '../../domain/timing.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CommandHost } from '../../ports/command-host.ts';
import type { ChildOutput } from './child.ts';
import { LineTagger } from './line-tagger.ts';

/** Nothing has come for so long after the command's end: whoever still has the pipe is not the command. */
const QUIET_MS = 100;
/** A reader that is slow gets the rest within this. */
const DRAIN_MS_MAX = 60_000;

export interface OutputRelayOptions {
  readonly host: CommandHost;
  readonly clock: Clock;
  /** Stands before every line; null leaves the bytes as they are. */
  readonly tag: string | null;
  /** Called whenever the command has written something. */
  readonly onOutput: () => void;
}

export interface OutputRelay {
  /**
   * Hands on what the command wrote before it ended, and closes its pipes: at their end, or once nothing
   * came for 100 ms (a daemon that it left behind has them still open), or after 60 s.
   */
  drain(): Promise<void>;
}

/** Hands the command's output on to ours. A slow reader slows the command down, as it would without us. */
export function relayOutput(output: ChildOutput, options: OutputRelayOptions): OutputRelay {
  const { clock } = options;
  const pumps = [new Pump(output.stdout, 'stdout', options), new Pump(output.stderr, 'stderr', options)];
  const done = Promise.all(pumps.map((pump) => pump.ended));
  return {
    async drain() {
      const begunAt = clock.read();
      let seen = -1;
      while (pumps.some((pump) => pump.isOpen) && elapsedMs(begunAt, clock.read()) < DRAIN_MS_MAX) {
        const count = pumps.reduce((sum, pump) => sum + pump.chunks, 0);
        if (count === seen && !pumps.some((pump) => pump.isWriting)) break;
        seen = count;
        await Promise.race([done, clock.sleep(QUIET_MS)]);
      }
      for (const pump of pumps) await pump.close();
    },
  };
}

class Pump {
  readonly ended: Promise<void>;
  chunks = 0;
  /** Until the pipe has ended. */
  isOpen = true;
  isWriting = false;
  readonly #source: Readable;
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  readonly #tagger: LineTagger | null;

  constructor(source: Readable, stream: 'stdout' | 'stderr', { host, tag, onOutput }: OutputRelayOptions) {
    this.#source = source;
    this.#write = (bytes) => host.writeBytes(stream, bytes);
    this.#tagger = tag === null ? null : new LineTagger(tag);
    this.ended = this.#pump(onOutput);
  }

  /** Never rejects: a pipe that breaks ends like one that is closed. */
  async #pump(onOutput: () => void): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        onOutput();
        this.chunks += 1;
        await this.#handOn(this.#tagger === null ? (chunk as Buffer) : this.#tagger.push(chunk as Buffer));
      }
    } catch {
      // Closed by us, or broken.
    }
    this.isOpen = false;
  }

  /** The line that was begun, and the end. */
  async close(): Promise<void> {
    this.#source.destroy();
    if (!this.isWriting) await this.#handOn(this.#tagger?.end() ?? Buffer.alloc(0));
  }

  async #handOn(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.isWriting = true;
    await this.#write(bytes);
    this.isWriting = false;
  }
}
