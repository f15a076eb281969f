/**
 * A workflow of n8n as its file has it, with everything checked that anybody may have written by hand: what isn't of
 * the right kind is left out and counted as odd, never an error.
 */
export interface N8nNode {
  readonly name: string;
  /** With its package: `n8n-nodes-base.gmail`. */
  readonly type: string;
  readonly version: number;
  readonly parameters: Fields;
  /** Ids or names of its credentials, sorted; empty where it has none. */
  readonly credentials: string;
  readonly isDisabled: boolean;
  readonly onError: 'stop' | 'continue' | 'error-output';
  readonly retriesOnFail: boolean;
  readonly executesOnce: boolean;
  /** Goes on with an empty item where it has none. */
  readonly alwaysOutputs: boolean;
  /** Where it is drawn, left and top: n8n runs branches of one output from the top down. */
  readonly position: readonly [x: number, y: number];
}

export interface N8nEdge {
  readonly from: number;
  /** Which output of `from`. */
  readonly output: number;
  /** `main`, or what a part of an agent is plugged in by (`ai_tool`). */
  readonly type: string;
  readonly to: number;
}

export interface N8nDefinition {
  readonly id: string;
  /** False where its name stands for an id. */
  readonly hasId: boolean;
  readonly name: string;
  readonly source: string;
  readonly isActive: boolean | null;
  /** When it was last saved, switched on or published, in ms UTC; null where the file doesn't say. */
  readonly changedAtMs: number | null;
  readonly nodes: readonly N8nNode[];
  readonly edges: readonly N8nEdge[];
  readonly settings: Fields;
  readonly isArchived: boolean;
  /** Read from the system that runs it: what it says of being switched on is so. Exports and templates mostly say that they are off. */
  readonly isLive: boolean;
  /** What stands in the file and leads nowhere: sentences. */
  readonly oddities: readonly string[];
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** A number, also one that stands there as text; NaN for everything else, objects that can't become one included. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Names go into sentences: longer ones are cut. */
const NAME_MAX = 200;

export function nameIn(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || text.length <= NAME_MAX) return text;
  // Between words: half a key would be known as none.
  return (
    text
      .slice(0, NAME_MAX)
      .replace(/(?<=\s)\S*$/, '')
      .trimEnd() || text.slice(0, NAME_MAX)
  );
}
