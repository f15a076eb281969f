import { LeaseholdError } from '../errors.ts';

/** A URL with `{lock}`, `{holder}` and `{runId}` in its path or query. */
export interface UrlTemplate {
  readonly text: string;
  /** With every place filled by one letter. */
  readonly sample: string;
}

/** What a template is filled with; null where the holder lacks it. */
export interface TemplateValues {
  readonly lock: string;
  readonly holder: string | null;
  readonly runId: string | null;
}

const PLACE = /\{(\w*)\}/g;
const NAMES: ReadonlySet<string> = new Set(['lock', 'holder', 'runId']);

/** Throws INVALID_ARGUMENT. A template that names neither run nor holder would say the same of every one. */
export function readTemplate(value: unknown): UrlTemplate {
  const text = String(value);
  const places = [...text.matchAll(PLACE)].map(([, name = '']) => name);
  const stray = places.find((name) => !NAMES.has(name));
  if (stray !== undefined) refuse(`the URL to ask has {${stray.slice(0, 40)}}; known: {lock}, {holder}, {runId}`);
  if (!places.includes('runId') && !places.includes('holder')) refuse('the URL to ask must have {runId} or {holder}');
  if (/^\w+:\/\/[^/?#]*[{\\]/.test(text))
    refuse('the URL to ask has a place to fill in its host; have it in the path or the query');
  return { text, sample: text.replaceAll(PLACE, 'x') };
}

/** Null where the holder lacks what is asked for, or would lead elsewhere: `..` walks up the path, however it is encoded. */
export function fillTemplate({ text, sample }: UrlTemplate, values: TemplateValues): URL | null {
  const { lock, holder, runId } = values;
  const named: Readonly<Record<string, string | null>> = { lock, holder, runId };
  let isWhole = true;
  const filled = text.replaceAll(PLACE, (_place, name: string) => {
    const value = named[name] ?? '';
    if (value === '' || !value.isWellFormed()) isWhole = false;
    return isWhole ? encodeURIComponent(value) : '';
  });
  const [url, like] = [URL.parse(filled), URL.parse(sample)];
  if (!isWhole || url === null || like === null || url.origin !== like.origin) return null;
  return depthOf(url) === depthOf(like) ? url : null;
}

function depthOf(url: URL): number {
  return url.pathname.split('/').length;
}

function refuse(message: string): never {
  throw new LeaseholdError('INVALID_ARGUMENT', message);
}
