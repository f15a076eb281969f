import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfFile, SAID } from './said.ts';

/** Deeper than people file things; a mount that contains itself stops here. */
export const DEPTH_MAX = 64;
/** More than anybody's export; past it the folder is said to be read in part. */
export const FILES_MAX = 200_000;
/** Other people's code and its history: nobody keeps runs there, and there are very many files. */
const NOT_ENTERED = new Set(['node_modules', '.git']);

export interface Walk {
  file(path: string): Promise<void>;
  fault(path: string, sentence: string): void;
}

interface Progress {
  files: number;
  isFull: boolean;
  readonly entered: Set<string>;
}

/** Shows every file below `folder`, in the order of names. Links are followed, each folder is entered once. */
export async function walkFolder(folder: string, walk: Walk): Promise<void> {
  await enter(folder, 0, walk, { files: 0, isFull: false, entered: new Set() });
}

async function enter(folder: string, depth: number, walk: Walk, progress: Progress): Promise<void> {
  if (depth > DEPTH_MAX) return walk.fault(folder, SAID.tooDeep(DEPTH_MAX));
  let names: string[];
  try {
    // A link that leads back to a folder above would be walked for ever.
    const place = await realpath(folder);
    if (progress.entered.has(place)) return;
    progress.entered.add(place);
    names = (await readdir(folder)).toSorted(byCodeUnits);
  } catch (error) {
    return walk.fault(folder, faultOfFile(error));
  }
  for (const name of names) {
    if (progress.isFull) return;
    await visit(join(folder, name), name, depth, walk, progress);
  }
}

async function visit(path: string, name: string, depth: number, walk: Walk, progress: Progress): Promise<void> {
  let facts: Stats;
  try {
    facts = await stat(path);
  } catch (error) {
    return walk.fault(path, faultOfFile(error));
  }
  if (facts.isDirectory()) {
    if (!NOT_ENTERED.has(name)) await enter(path, depth + 1, walk, progress);
    return;
  }
  if (!facts.isFile()) return;
  progress.files += 1;
  if (progress.files > FILES_MAX) {
    progress.isFull = true;
    return walk.fault(path, SAID.tooManyFiles(FILES_MAX));
  }
  await walk.file(path);
}

/** The same order on every host, whatever its language. */
function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
