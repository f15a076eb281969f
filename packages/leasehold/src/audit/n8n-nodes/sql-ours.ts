/** One of our functions in SQL, and what its answer has to be asked for. */
export interface OurCall {
  readonly guard: 'lock' | 'claim' | 'release';
  /**
   * The column that tells whether it was got: `proceed` of a lock, `owned` of a claim of given ids. Null where the
   * statement asks itself, so that it gives no row, fails or has nothing to ask.
   */
  readonly asks: Question | null;
}

export type Question = 'proceed' | 'owned';

const OURS = /\b"?leasehold"?\.\s*"?(acquire|claim_next|claim|release|assert_holder)"?\s*\(/;
const RELEASES = /\b"?leasehold"?\.\s*"?release"?\s*\(/;
/** How far behind a call its list of arguments is looked at. */
const ARGUMENTS_MAX = 1_000;
/** A claim without ids hands out the next of the queue, and nothing else. */
const NAMES_IDS = /\barray\s*\[|\bids\s*=>|\btext\s*\[\]|string_to_array|\bselect\b/;

/** The first of our functions in `plain`, SQL as of `plainSql`; null where there is none. */
export function ourCall(plain: string): OurCall | null {
  const found = OURS.exec(plain);
  const name = found?.[1];
  if (found === null || name === undefined) return null;
  if (name === 'release') return { guard: 'release', asks: null };
  // A lock that is taken to be given back, as after an error.
  if (name === 'acquire' && RELEASES.test(plain)) return { guard: 'release', asks: null };
  const rest = plain.slice(found.index + found[0].length);
  if (name === 'acquire') return { guard: 'lock', asks: asksItself(plain, 'proceed') ? null : 'proceed' };
  if (name === 'assert_holder') return { guard: 'lock', asks: null };
  const isOfIds = name === 'claim' && NAMES_IDS.test(argumentsIn(rest));
  return { guard: 'claim', asks: isOfIds && !asksItself(plain, 'owned') ? 'owned' : null };
}

/** Up to the bracket that closes the call. */
function argumentsIn(rest: string): string {
  let depth = 1;
  for (let at = 0; at < Math.min(rest.length, ARGUMENTS_MAX); at += 1) {
    if (rest[at] === '(') depth += 1;
    else if (rest[at] === ')') depth -= 1;
    if (depth === 0) return rest.slice(0, at);
  }
  return rest.slice(0, ARGUMENTS_MAX);
}

/** `… where proceed`: without a row n8n goes no further. Alternatives (`or`) let others through, too. */
function asksItself(plain: string, question: Question): boolean {
  const asked = new RegExp(
    String.raw`\b(not\s+)?(?:\(\s*)?(?:\w+\.)?"?${question}"?(?:\s*(=|<>|!=|is\s+not|is)\s*(true|false|not\b)?)?`,
    'g',
  );
  return plain.split(';').some((statement) => {
    const where = statement.search(/\bwhere\b/);
    if (where < 0 || /\bor\b/.test(statement.slice(where))) return false;
    return [...statement.slice(where).matchAll(asked)].some(([, not, operator = '', value]) => {
      const flips = [not !== undefined, /^(?:<>|!=|is\s+not)$/.test(operator), value === 'false'];
      return flips.filter(Boolean).length % 2 === 0;
    });
  });
}
