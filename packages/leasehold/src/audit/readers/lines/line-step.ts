/** A step of a line, as far as the words of its action tell. */
export interface LineStep {
  /** As the editor shows it. */
  readonly label: string;
  readonly app: string;
  readonly action: string;
  readonly does: 'read' | 'mark' | 'effect' | 'ours' | 'other';
}

/** Apps that decide, shape or wait: whatever their words are, they touch no record. */
const INNER =
  /^(?:builtin|util|json|csv|xml|math|regexp|converger|feeder|aggregator|router|tools|formatter|filter|paths?|delay|schedule|code|looping|digest|storage|datastore|sub-?zap|branching)/i;
/** Lists of records; one record that is known already is no list. */
const READS = /^(?:search|list|filter|select|find|lookup|look|query|getrows|getmany|findmany|searches)/;
const MARKS = /^(?:update|edit|patch|mark|upsert|replace|archive|move|set|change|createorupdate|updateor)/;
const EFFECTS =
  /^(?:send|create|add|post|reply|insert|publish|charge|upload|make|new|issue|forward|append|invite|message|email)/;
/** What Make's own modules are called by before their verb. */
const PREFIX = /^(?:action|function|trigger)(?=[A-Z])/i;

/** `read`, `mark`, `effect`, or `other` for everything else: nothing is guessed. `sendEmail`, `update_row`, `message_send`. */
export function doingOf(app: string, action: string): LineStep['does'] {
  if (INNER.test(app)) return 'other';
  const words = action
    .replace(PREFIX, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  // Zapier's own ids often have the verb last.
  const [first = '', last = ''] = [words[0], words.at(-1)];
  for (const [pattern, does] of KINDS) if (pattern.test(first)) return does;
  for (const [pattern, does] of KINDS) if (pattern.test(last)) return does;
  return 'other';
}

const KINDS = [
  [READS, 'read'],
  [MARKS, 'mark'],
  [EFFECTS, 'effect'],
] as const;
