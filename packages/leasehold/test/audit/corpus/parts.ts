/** Stories that samples vary: the clock, a read, what goes out, and a mark. */
import { type Drawn, HOURLY } from '../n8n/build.ts';
import { MAIL, MARK_ROW, READ_ROWS } from '../n8n/parts.ts';
import { type Known, n8n, type Sample } from './corpus.ts';

/** What the story of read, mail and mark has to be told. */
export const STORY_FINDS: readonly string[] = [
  'window.effect-before-mark critical',
  'window.read-to-write warning',
  'guard.missing warning',
];
/** What it has to be told where nothing marks. */
export const UNMARKED_FINDS: readonly string[] = ['window.no-status-write warning', 'guard.missing warning'];

/** A node of this type, version and parameters, of one account. */
export function node(type: string, typeVersion: number, parameters: Record<string, unknown> = {}): Drawn {
  return { type, typeVersion, parameters, credentials: { account: { id: 'a1', name: 'account' } } };
}

/** `Clock > Read > Mail > Mark`, every hour. */
export function marked(
  name: string,
  [read, mark, mail = MAIL]: readonly [Drawn, Drawn, Drawn?],
  given: Partial<Known> = {},
): Sample {
  return n8n(
    name,
    { nodes: { Clock: HOURLY, Read: read, Mail: mail, Mark: mark }, flow: 'Clock > Read > Mail > Mark' },
    { finds: STORY_FINDS, may: ['read.unbounded'], paths: [['Read', 'Mark', 1, true]], ...given },
  );
}

/** `Clock > Read > Mark > Mail`: marked before anything goes out. */
export function markedFirst(
  name: string,
  [read, mark, mail = MAIL]: readonly [Drawn, Drawn, Drawn?],
  given: Partial<Known> = {},
): Sample {
  return n8n(
    name,
    { nodes: { Clock: HOURLY, Read: read, Mail: mail, Mark: mark }, flow: 'Clock > Read > Mark > Mail' },
    { finds: ['guard.missing warning'], may: ['read.unbounded'], paths: [['Read', 'Mark', 0, false]], ...given },
  );
}

/** `Clock > Read > Mail`, and a last node that marks nothing of what was read. */
export function unmarked(
  name: string,
  [read, last, mail = MAIL]: readonly [Drawn, Drawn?, Drawn?],
  given: Partial<Known> = {},
): Sample {
  const nodes = { Clock: HOURLY, Read: read, Mail: mail, ...(last === undefined ? {} : { Last: last }) };
  return n8n(
    name,
    { nodes, flow: `Clock > Read > Mail${last === undefined ? '' : ' > Last'}` },
    { finds: UNMARKED_FINDS, may: ['read.unbounded'], paths: [['Read', null, null, true]], ...given },
  );
}

const STORY = { Clock: HOURLY, Read: READ_ROWS, Mail: MAIL, Mark: MARK_ROW };

/** The story with other nodes, another way through them, or other settings. */
export function guarded(
  name: string,
  nodes: Readonly<Record<string, Drawn>>,
  flow: string,
  known: Known,
  more: Record<string, unknown> = {},
): Sample {
  return n8n(name, { nodes: { ...STORY, ...nodes }, flow, ...more }, known);
}
