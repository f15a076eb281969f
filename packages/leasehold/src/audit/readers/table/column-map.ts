import { LeaseholdError } from '../../../errors.ts';
import type { DurationUnit } from './durations.ts';
import type { DateOrder } from './written-instant.ts';

/** What a column of a table may be. */
export const FIELDS = [
  'start',
  'end',
  'duration',
  'id',
  'workflow',
  'name',
  'status',
  'trigger',
  'retry',
  'version',
  'slot',
  'timezone',
  'wait',
  'host',
  'attempt',
] as const;

export type Field = (typeof FIELDS)[number];

/** What somebody says about the columns of a table. What isn't said is guessed. */
export interface ColumnMap {
  /** Names of columns, or numbers from 1 where there is no header. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  readonly dates: DateOrder | null;
  readonly unit: DurationUnit | null;
}

const UNITS: readonly string[] = ['ms', 's', 'min', 'h'];
const EXAMPLE = 'start=Begin,end=Finish,workflow=Job';

/**
 * Reads `--map start=Begin,end=Finish,dates=dmy,unit=s`. A name with a comma or an equals sign is written in double
 * quotes. Throws INVALID_ARGUMENT, saying what may be mapped.
 */
export function parseColumnMap(text: string): ColumnMap {
  const columns: Partial<Record<Field, string>> = {};
  let dates: DateOrder | null = null;
  let unit: DurationUnit | null = null;
  for (const [key, value] of pairsOf(text)) {
    if (key === 'dates' && (value === 'dmy' || value === 'mdy')) dates = value;
    else if (key === 'unit' && isUnit(value)) unit = value;
    else if (isField(key) && columns[key] === undefined) columns[key] = value;
    else {
      throw new LeaseholdError(
        'INVALID_ARGUMENT',
        `--map: "${key}=${value}" is not understood; write COLUMN names for ${FIELDS.join(', ')}, each once, and dates=dmy or dates=mdy, unit=ms, s, min or h, for example ${EXAMPLE}`,
      );
    }
  }
  return { columns, dates, unit };
}

function* pairsOf(text: string): Generator<readonly [string, string]> {
  const pattern = /\s*([a-z]+)\s*=\s*(?:"((?:[^"]|"")*)"|([^,"]+?))\s*(?:,|$)/gy;
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) {
      throw new LeaseholdError(
        'INVALID_ARGUMENT',
        `--map: "${text.slice(at)}" is not FIELD=COLUMN; write for example ${EXAMPLE}`,
      );
    }
    at = pattern.lastIndex;
    yield [match[1] ?? '', match[2]?.replaceAll('""', '"') ?? match[3] ?? ''];
  }
}

function isField(key: string): key is Field {
  return FIELDS.some((field) => field === key);
}

function isUnit(value: string): value is DurationUnit {
  return UNITS.includes(value);
}
