import type { AuditSink } from '../../model/sink.ts';
import { type FileFormat, type OpenedFile, READ, type ReadVerdict } from '../files/file-format.ts';
import { readWritten } from '../table/written-instant.ts';
import { readLine } from './crontab-line.ts';
import { readCrontab } from './read-crontab.ts';

/** Larger than any crontab; what follows is told and left out. */
const BYTES_MAX = 8 << 20;

export const CRONTAB_FORMAT: FileFormat = {
  name: 'crontab',
  recognises: ({ head }) => isCrontab(head.text, head.isWhole),
  read,
};

/** At least one line that starts something, and hardly any that cron would not take. */
export function isCrontab(text: string, isWhole: boolean): boolean {
  if (text.includes('\0')) return false;
  const lines = text.split(/\r?\n|\r/);
  if (!isWhole) lines.pop();
  let jobs = 0;
  let unknown = 0;
  for (const raw of lines) {
    const line = readLine(raw);
    if (line.kind === 'job' && isCommand(line.rest) && !beginsWithInstant(raw)) jobs++;
    else if (line.kind === 'job' || line.kind === 'unknown') unknown++;
  }
  return jobs > 0 && unknown <= jobs / 4;
}

/** A table of numbers has five in a row as well; a command has letters, and doesn't begin with a separator. */
const isCommand = (rest: string): boolean => /[a-z/]{2}/i.test(rest) && !/^[,;|]/.test(rest);

/** `1. 10. 2026 2:00:00;Success;20 min` is a row of a table: its first value is an instant. */
function beginsWithInstant(line: string): boolean {
  const [first = '', ...others] = line.trim().split(/[;,\t|]/, 2);
  if (others.length === 0 || first.length > 40) return false;
  return /\d[-/.:]\s?\d/.test(first) && readWritten(first, 'dmy') !== null;
}

async function read(file: OpenedFile, sink: AuditSink): Promise<ReadVerdict> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const block of file.blocks()) {
    parts.push(block);
    bytes += block.length;
    if (bytes > BYTES_MAX) {
      sink.unread(file.path, 'Only the first 8 MiB of this crontab were read.');
      break;
    }
  }
  readCrontab(file.path, Buffer.concat(parts).toString('utf8'), sink);
  return READ;
}
