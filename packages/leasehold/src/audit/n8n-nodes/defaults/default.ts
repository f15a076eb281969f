/**
 * What n8n takes where a workflow leaves something out: it doesn't store values that equal the default, so that a
 * Google Sheets node without an operation reads and a Slack node without one posts.
 */
export interface NodeDefault {
  /** The lowest typeVersion that it holds for; entries stand newest first. */
  readonly from: number;
  readonly resource?: string;
  /** One for all resources, or one each. */
  readonly operation?: string | Readonly<Record<string, string>>;
}

/** By the type's name without its package. */
export type NodeDefaults = Readonly<Record<string, readonly NodeDefault[]>>;
