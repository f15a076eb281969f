/** A file or stdin with ids in it, read as the commands read it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIds } from '../../../src/cli/records/ids-input.ts';
import type { InputRecord } from '../../../src/cli/records/record-line.ts';
import { createCommandProcess } from '../../../src/platform/command-host.ts';
import type { CommandHost } from '../../../src/ports/command-host.ts';

const ownProcess = createCommandProcess();

/** The host whose stdin brings these bytes, `chunkBytes` at a time. */
export function hostWithInput(bytes: Uint8Array, chunkBytes: number): CommandHost {
  return {
    ...ownProcess,
    async *readInput() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

/** What is read of this text on stdin, cut into chunks of so many bytes. */
export async function readText(text: string | Uint8Array, chunkBytes = 7): Promise<InputRecord[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  await using spool = await readIds({ idsFile: '-' }, hostWithInput(bytes, chunkBytes));
  const records: InputRecord[] = [];
  for await (const record of spool?.read() ?? []) records.push(record);
  return records;
}

export async function idsOf(text: string | Uint8Array, chunkBytes?: number): Promise<string[]> {
  return (await readText(text, chunkBytes)).map(({ id }) => id);
}

/** A folder with one file of these contents, gone after `work`. */
export async function withFile<T>(contents: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-input-'));
  try {
    const path = join(folder, 'ids.txt');
    writeFileSync(path, contents);
    return await work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
