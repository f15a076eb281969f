import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import type { AuditSink } from '../../model/sink.ts';
import {
  type FileFormat,
  type FileReadOptions,
  type OpenedFile,
  READ,
  type ReadVerdict,
} from '../files/file-format.ts';
import { asError } from '../files/damage.ts';
import { checkedLines, LineFaults } from '../files/line-faults.ts';
import { isMakeHeader, MakeLogs } from '../make/logs.ts';
import { HistoryTable } from '../table/history-table.ts';
import type { Column } from '../table/layout.ts';
import { TABLE_SAID } from '../table/table-said.ts';
import { columnsByContent, looksLikeRow } from './columns-by-content.ts';
import { CSV_SAID } from './csv-said.ts';
import { delimiterIn } from './delimiter.ts';
import { fitOf, VAGUE_FIT } from '../table/column-names.ts';

/** A quote that is never closed would else take the rest of the file for one field. */
const RECORD_BYTES_MAX = 1 << 20;

/** Tables of comma, semicolon, tab or bar separated values, with or without a line of names. */
export const CSV_FORMAT: FileFormat = {
  name: 'csv',
  recognises: ({ head }) => delimiterIn(head.text, head.isWhole) !== null || isOneColumn(head.text),
  read: readCsv,
};

async function readCsv(file: OpenedFile, sink: AuditSink, options: FileReadOptions): Promise<ReadVerdict> {
  const faults = new LineFaults(true);
  const reading = new CsvReading(file, sink, options, faults);
  const parser: Parser = parse({
    delimiter: delimiterIn(file.head.text, file.head.isWhole) ?? ',',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES_MAX,
    on_record: (record: string[], { lines }) => {
      reading.record(record, lines);
      return null;
    },
  });
  parser.resume();
  let damage: Error | null = null;
  try {
    await pipeline(Readable.from(untilDecided(file, faults, reading)), parser);
  } catch (error) {
    if (isCsvError(error)) faults.add(error.lines, CSV_SAID.unclosedQuote);
    else damage = asError(error);
  }
  const verdict = reading.end();
  if (verdict.kind === 'read') faults.tell(file.path, sink);
  if (damage !== null) throw damage;
  return verdict;
}

/** Nothing is read on of a table that is none of ours. */
async function* untilDecided(file: OpenedFile, faults: LineFaults, reading: CsvReading): AsyncGenerator<Buffer> {
  for await (const { bytes } of checkedLines(file.blocks(), faults)) {
    if (reading.isRefused) return;
    yield bytes;
  }
}

class CsvReading {
  readonly #file: OpenedFile;
  readonly #sink: AuditSink;
  readonly #options: FileReadOptions;
  readonly #table: HistoryTable;
  readonly #faults: LineFaults;
  #columns: readonly Column[] | null = null;
  /** Where the rows are those of a log of Make, with the names of its API. */
  #makeLogs: MakeLogs | null = null;
  #hasHeader = true;
  #rows = 0;
  #addresses = 0;

  constructor(file: OpenedFile, sink: AuditSink, options: FileReadOptions, faults: LineFaults) {
    this.#file = file;
    this.#faults = faults;
    this.#sink = sink;
    this.#options = options;
    const columnsOf = (sample: readonly unknown[]): readonly Column[] => {
      // What a column without a name is, is seen by many rows, not by one.
      if (!this.#hasHeader) this.#columns = columnsByContent(sample as readonly (readonly string[])[]);
      return this.#columns ?? [];
    };
    this.#table = new HistoryTable({ source: file.path, rowWord: 'line', columnsOf }, sink, options);
  }

  get isRefused(): boolean {
    return this.#table.state === 'refused' || this.#table.state === 'unreadable';
  }

  record(record: readonly string[], line: number): void {
    if (this.#columns === null) {
      if (record.length > 0 && /^sep=/i.test(record[0] ?? '')) return;
      this.#hasHeader = !looksLikeRow(record);
      this.#columns = this.#hasHeader ? columnsNamed(record) : columnsByContent([record]);
      if (this.#hasHeader && this.#options.columns === null && isMakeHeader(record)) {
        this.#makeLogs = new MakeLogs(this.#file.path, this.#sink);
      }
      if (this.#hasHeader) return;
    }
    this.#rows += 1;
    const columns = this.#columns.length;
    if (record.length > columns && record.slice(columns).some((cell) => cell !== '')) {
      // Which of the values is one too many can't be told, so none of them can be trusted.
      this.#faults.add(line, CSV_SAID.tooManyValues(record.length, columns));
      return;
    }
    if (record.some((cell) => /^https?:\/\//i.test(cell))) this.#addresses += 1;
    if (this.#makeLogs !== null) this.#makeLogs.add(fieldsOf(this.#columns, record), line);
    else this.#table.add(record, line);
  }

  end(): ReadVerdict {
    const { path } = this.#file;
    if (this.#rows === 0) return this.#endEmpty();
    if (this.#makeLogs !== null) {
      this.#makeLogs.end();
      return READ;
    }
    const state = this.#table.end();
    if (state === 'refused') {
      if (this.#addresses > 0 && this.#addresses === this.#rows && this.#isListOfPages()) {
        this.#sink.unread(path, CSV_SAID.pagesToDownload(this.#rows));
        return READ;
      }
      return { kind: 'unrelated', why: this.#table.refusal };
    }
    if (!this.#hasHeader && state === 'reading') {
      this.#sink.limit(path, null, TABLE_SAID.noHeader((this.#columns ?? []).map(({ name }) => name).join(', ')));
    }
    return READ;
  }

  #endEmpty(): ReadVerdict {
    const isHistory = (this.#columns ?? []).some(({ name }) => isStart(name));
    if (!isHistory) return { kind: 'unrelated', why: TABLE_SAID.noRows };
    this.#sink.unread(this.#file.path, TABLE_SAID.noRows);
    this.#sink.empty?.(this.#file.path);
    return READ;
  }

  /** Zapier's export has a list of where the pages of its task history lie. */
  #isListOfPages(): boolean {
    return (this.#columns ?? []).some(({ name }) => /url|link|address|download/i.test(name));
  }
}

function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name, at) => ({
    name: name.trim() === '' ? `column ${at + 1}` : name.trim(),
    of: (row) => (row as readonly string[])[at],
  }));
}

function fieldsOf(columns: readonly Column[], record: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map(({ name, of }) => [name, of(record) as string]));
}

function isStart(name: string): boolean {
  const fit = fitOf('start', name);
  return fit !== null && fit < VAGUE_FIT;
}

/** A column of starts and nothing else. */
function isOneColumn(text: string): boolean {
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  if (first.length > 100 || /[,;\t|]/.test(first)) return false;
  return looksLikeRow([second.trim()]) && (looksLikeRow([first.trim()]) || isStart(first));
}

function isCsvError(error: unknown): error is Error & { readonly lines: number } {
  return error instanceof Error && 'lines' in error && typeof error.lines === 'number';
}
