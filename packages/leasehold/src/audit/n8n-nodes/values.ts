import { type Fields, isFields, textOf } from '../readers/n8n-workflow/definition.ts';

/** What n8n works out when it runs: a value that begins with `=`, or holds `{{ }}`. */
export function isExpression(value: unknown): boolean {
  return typeof value === 'string' && (value.startsWith('=') || value.includes('{{'));
}

const PLACEHOLDER = /your|example|xxx|placeholder|replace|insert[_ -]|enter[_ -]|change[_ -]?me|configur|[<>[\]]|tbd/i;

/** The value of a parameter, plain or as a resource locator; null where it is empty, computed or a placeholder. */
export function chosen(value: unknown, prefersName = false): string | null {
  const locator = isFields(value) ? value : null;
  const raw = locator === null ? textOf(value) : textOf(locator['value']);
  if (raw === null || isExpression(raw)) return null;
  const shown = prefersName && locator !== null ? textOf(locator['cachedResultName']) : null;
  const text = shown ?? idInAddress(raw);
  return PLACEHOLDER.test(text) ? null : text;
}

export function firstChosen(parameters: Fields, names: readonly string[], prefersName = false): string | null {
  for (const name of names) {
    const value = chosen(parameters[name], prefersName);
    if (value !== null) return value;
  }
  return null;
}

/** The same document is named by its address or by its id. */
function idInAddress(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  return (
    /\/d\/([\w-]{10,})/.exec(text)?.[1] ??
    /[/=]((?:app|tbl)\w{10,})/.exec(text)?.[1] ??
    /([0-9a-f]{32})(?:[?#]|$)/i.exec(text)?.[1] ??
    text
  );
}

/** All text in the parameters, for looking for words in it; cut where it gets long. */
export function textIn(parameters: Fields): string {
  const found: string[] = [];
  let length = 0;
  const waiting: unknown[] = [parameters];
  for (let steps = 0; steps < WALK_MAX && length < TEXT_MAX; steps += 1) {
    const value = waiting.pop();
    if (value === undefined) break;
    if (typeof value === 'string') {
      found.push(value.slice(0, TEXT_MAX));
      length += value.length;
    } else if (typeof value === 'object' && value !== null) {
      const inner: readonly unknown[] = Object.values(value);
      waiting.push(...inner.slice(0, WALK_MAX));
    }
  }
  return found.join('\n');
}

const WALK_MAX = 5_000;
const TEXT_MAX = 200_000;
