/** Functions that make one value of all rows and keep none of them; `json_agg` and the like hand the rows themselves on. */
const SUMS =
  /^(?:sum|count|count_big|avg|min|max|total|stddev\w*|stdev\w*|var_?\w*|variance|bool_and|bool_or|every|median|percentile_\w+|approx_count_distinct)$/;
const LISTS = /_agg$|_object$|^group_concat$|^array$|^list$|^collect\w*$/;
/** Words after which it is more than one row, or a row that is somebody's. */
const MORE_ROWS = new Set(['group', 'over', 'union', 'except', 'intersect']);

/**
 * True where a statement gives one row that is a figure, `select sum(x) from orders where …`: what it goes through is
 * reckoned with and not taken, so a second run takes nothing from the first. `words` as of `wordsOf`, one statement.
 */
export function isOneFigure(words: readonly string[]): boolean {
  const select = lastOutermost(words, 'select');
  if (select === null) return false;
  let depth = 0;
  let hasSum = false;
  for (let at = select + 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0 && word === 'from') return hasSum && !isOfMore(words, at);
    else if (word === 'select' || LISTS.test(word) || MORE_ROWS.has(word)) return false;
    else if (SUMS.test(word) && words[at + 1] === '(') hasSum = true;
  }
  return false;
}

/** The statement's own, behind the parts of a `with`; a second one belongs to a `union`. */
function lastOutermost(words: readonly string[], sought: string): number | null {
  const places: number[] = [];
  let depth = 0;
  for (const [at, word] of words.entries()) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0 && word === sought) places.push(at);
  }
  return places.length === 1 ? (places[0] ?? null) : null;
}

function isOfMore(words: readonly string[], from: number): boolean {
  let depth = 0;
  for (const word of words.slice(from)) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0 && MORE_ROWS.has(word)) return true;
  }
  return false;
}
