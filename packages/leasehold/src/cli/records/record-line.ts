import { payloadText } from '../../domain/records/payload.ts';
import { checkRecordId, checkVersion } from '../../domain/records/record-key.ts';
import { LeaseholdError } from '../../errors.ts';
import { parseInstant } from '../options.ts';
import { parseExactly } from './exact-json.ts';

/** A record as a line of input names it. */
export interface InputRecord {
  readonly id: string;
  readonly version: string;
  /** JSON text; null where the line has none. */
  readonly payload: string | null;
  readonly notBefore: Date | null;
}

/** How the lines of one input are read: the first one that isn't empty decides. */
export type LineForm = 'ids' | 'objects';

const KEYS: readonly string[] = ['id', 'version', 'payload', 'notBefore'];

/** An object for one that begins with a brace. */
export function formOf(text: string): LineForm {
  return text.startsWith('{') ? 'objects' : 'ids';
}

/**
 * Reads one line, without the blanks around it. Throws INVALID_ARGUMENT with what is wrong with it. A line of another
 * form than the first is refused: it would be taken for an id that is none.
 */
export function parseRecordLine(text: string, form: LineForm): InputRecord {
  if (form === 'objects') return readObject(text);
  if (formOf(text) === 'objects') refuse('an object among plain ids; write every line as an object');
  return { id: checkRecordId(text), version: '', payload: null, notBefore: null };
}

function readObject(text: string): InputRecord {
  const value = parseObject(text);
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) refuse(`"${key}" is not known; an object has ${KEYS.join(', ')}`);
  }
  const { id, version = null, payload = null, notBefore = null } = value;
  if (id === undefined) refuse('has no "id"');
  return {
    id: checkRecordId(textOf(id, 'id')),
    version: version === null ? '' : checkVersion(textOf(version, 'version')),
    payload: payload === null ? null : payloadText(payload),
    notBefore: notBefore === null ? null : instantOf(notBefore),
  };
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown = null;
  try {
    value = parseExactly(text);
  } catch {
    // Below: what the parser says quotes the text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const twice = repeatedKey(text);
    return twice === null ? (value as Record<string, unknown>) : refuse(`has "${twice}" twice`);
  }
  return refuse('is not a JSON object; write {"id":"…"}, one a line');
}

/** A key of ours, as it is written as a rule; and one that an escape may be hidden in. */
const OURS = /"(?:id|version|payload|notBefore)"\s*:|\\u/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The first key that an object has twice, of which a parser takes the last; null for none. `text` is an object. */
function repeatedKey(text: string): string | null {
  const keys: readonly string[] = text.match(OURS) ?? [];
  if (new Set(keys.map((key) => key.replace(/\s/g, ''))).size === keys.length && !keys.includes('\\u')) return null;
  const seen = new Set<string>();
  let [depth, last] = [0, ''];
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) {
      const key = JSON.parse(last) as string;
      if (seen.has(key)) return key;
      seen.add(key);
    }
    last = token;
  }
  return null;
}

/** Numbers are ids in many systems; one that JavaScript can't hold would be another id. */
function textOf(value: unknown, label: string): string {
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return String(value);
  return refuse(`${label} must be text or a whole number up to ${Number.MAX_SAFE_INTEGER}; write it in quotes`);
}

function instantOf(value: unknown): Date {
  if (typeof value !== 'string') refuse('notBefore must be an instant in quotes: "2026-11-30T09:00:00Z"');
  return parseInstant('notBefore')(value);
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
