/** A line longer than this is none of ours, and would fill the memory. */
export const LINE_BYTES_MAX: number = 64 << 20;

/** Whole lines together: `bytes` ends with a line feed, save at the end of the file. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** Number of the first line in it, from 1. */
  readonly line: number;
}

/**
 * Cuts a stream at line feeds, so that no line is in two blocks. A line that is too long is left out, and its
 * number told to `tooLong`.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Buffer>,
  tooLong: (line: number) => void,
): AsyncGenerator<LineBlock> {
  let line = 1;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let isSkipping = false;
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(0x0a);
    if (last === -1) {
      if (!isSkipping) pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes > LINE_BYTES_MAX && !isSkipping) {
        tooLong(line);
        isSkipping = true;
        pending = [];
      }
      continue;
    }
    const from = isSkipping ? chunk.indexOf(0x0a) + 1 : 0;
    if (isSkipping) line += 1;
    const whole = chunk.subarray(from, last + 1);
    const bytes = pending.length === 0 ? whole : Buffer.concat([...pending, whole]);
    if (bytes.length > 0) {
      yield { bytes, line };
      line += feedsIn(bytes);
    }
    pending = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    pendingBytes = chunk.length - last - 1;
    isSkipping = false;
  }
  if (pending.length > 0) yield { bytes: Buffer.concat(pending), line };
}

export function feedsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count;
}
