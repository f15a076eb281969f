/** Files as people have them, read as `audit` reads them, and what was handed on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { HistoryRun } from '../../../src/audit/model/run.ts';
import type { AuditSink } from '../../../src/audit/model/sink.ts';
import type { FoundWorkflow } from '../../../src/audit/model/workflow.ts';
import type { FileReadOptions } from '../../../src/audit/readers/files/file-format.ts';
import { readPath } from '../../../src/audit/readers/files/read-files.ts';
import { parseColumnMap } from '../../../src/audit/readers/table/column-map.ts';

export interface Recorded {
  readonly runs: readonly HistoryRun[];
  readonly workflows: readonly FoundWorkflow[];
  /** `path: reason`, with the folder of the test left out. */
  readonly unread: readonly string[];
  /** Paths of what was read and has nothing in it. */
  readonly empty: readonly string[];
  /** Sentences, those of one workflow with its id before them. */
  readonly limits: readonly string[];
  /** Paths of databases, which are another reader's. */
  readonly databases: readonly string[];
}

export type Content = string | Uint8Array;

export interface Given {
  readonly timezone?: string;
  /** As on the command line. */
  readonly map?: string;
  /** What comes on standard input, in these pieces. */
  readonly piped?: readonly Uint8Array[];
}

/** An empty folder that goes with the test. */
export function folderOf(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-files-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, Content>>): void {
  const made = new Set<string>();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(path, content);
  }
}

/** Reads a folder of these files. */
export async function readFolder(
  test: TestContext,
  files: Readonly<Record<string, Content>>,
  given: Given = {},
): Promise<Recorded> {
  const folder = folderOf(test);
  write(folder, files);
  return read(folder, folder, given);
}

/** Reads one file that somebody named. */
export async function readFile(
  test: TestContext,
  name: string,
  content: Content,
  given: Given = {},
): Promise<Recorded> {
  const folder = folderOf(test);
  write(folder, { [name]: content });
  return read(join(folder, name), folder, given);
}

/** Reads what comes on standard input. */
export const readPiped = (content: Content, pieceBytes: number = 1 << 16, given: Given = {}): Promise<Recorded> =>
  read('-', '', { ...given, piped: pieces(Buffer.from(content as string), pieceBytes) });

/** Reads a path; `folder` is left out of what is told. */
export async function read(path: string, folder: string, given: Given = {}): Promise<Recorded> {
  const runs: HistoryRun[] = [];
  const workflows: FoundWorkflow[] = [];
  const unread: string[] = [];
  const limits: string[] = [];
  const empty: string[] = [];
  const databases: string[] = [];
  const short = (text: string): string =>
    folder === '' ? text : text.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
  const sink: AuditSink = {
    run: (run) => runs.push(run),
    workflow: (workflow) => workflows.push({ ...workflow, source: short(workflow.source) }),
    empty: (at) => empty.push(short(at)),
    unread: (at, reason) => unread.push(`${short(at)}: ${reason}`),
    limit: (_source, workflow, sentence) => limits.push(workflow === null ? sentence : `${workflow}: ${sentence}`),
  };
  const options: FileReadOptions = {
    timezone: given.timezone ?? null,
    columns: given.map === undefined ? null : parseColumnMap(given.map),
    stdin: () => flowing(given.piped ?? []),
    readDatabase: async (at) => {
      databases.push(short(at));
    },
  };
  await readPath(path, sink, options);
  return { runs, workflows, unread, empty, limits, databases };
}

export function pieces(bytes: Buffer, pieceBytes: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
}

/** As a pipe hands them over. */
export async function* flowing(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** `2026-03-01T10:00:00Z..10:20:00Z` of each run; `?` where an instant is missing. */
export function spans({ runs }: Recorded): string[] {
  return runs.map(({ startedAtMs, endedAtMs }) => `${instant(startedAtMs)}..${instant(endedAtMs).slice(11) || '?'}`);
}

function instant(ms: number | null): string {
  return ms === null ? '?' : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The only one. */
export function the<T>(all: readonly T[]): T {
  const [only] = all;
  if (only === undefined || all.length > 1) throw new Error(`${all.length} of them, not one: ${JSON.stringify(all)}`);
  return only;
}
