import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { LogSpec } from '../../domain/channel-spec.ts';
import type { Channel, SendAnswer } from '../../ports/channel.ts';
import { alertJson } from '../alert-json.ts';

/**
 * Appends each alert as one line of JSON, to a file or to stderr.
 *
 * One write a line, so that lines of several processes stay whole. The file is opened for each line: one that was
 * moved away (logrotate) is made anew. Opened without blocking, since a FIFO that nobody reads would hold this process
 * up. Confirmed once it is on the disk.
 */
export function logChannel(spec: LogSpec, writeError: (text: string) => Promise<string | null>): Channel {
  const { name, filter, file } = spec;
  return {
    name,
    filter,
    async send(message) {
      const line = `${alertJson(message)}\n`;
      if (file !== null) return append(file, line);
      const errorCode = await writeError(line);
      return errorCode === null ? { confirmed: true, said: 'written' } : failed(`stderr: ${errorCode}`);
    },
  };
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

function append(file: string, line: string): SendAnswer {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, APPEND, 0o600);
    const bytes = Buffer.from(line);
    if (writeSync(descriptor, bytes) !== bytes.length) return failed(`${file}: ENOSPC`);
    sync(descriptor);
    return { confirmed: true, said: 'written' };
  } catch (error) {
    return failed(`${file}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** A pipe or a terminal can't be synced, and needs not. */
function sync(descriptor: number): void {
  try {
    fdatasyncSync(descriptor);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EINVAL', 'EROFS', 'ENOTSUP'].includes(code)) throw error;
  }
}

function failed(said: string): SendAnswer {
  return { confirmed: false, said, retryAfterMs: null };
}
