/** How the programs that guard a command take their options. */
export interface Options {
  readonly flags: readonly string[];
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly rest: readonly string[];
}

/** Options up to the first word that is none; those in `valued` take the next word, or what hangs on them (`-w10`). */
export function options(words: readonly string[], valued: readonly string[]): Options {
  const flags: string[] = [];
  const values: [string, string][] = [];
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const short = word.startsWith('--') ? '' : word.slice(0, 2);
    const cluster = /^-[a-zA-Z]+$/.test(word) ? `-${word.at(-1) ?? ''}` : '';
    if (valued.includes(word)) values.push([word, words[++at] ?? '']);
    else if (valued.includes(short)) values.push([short, word.slice(2)]);
    else if (cluster !== '' && valued.includes(cluster)) {
      flags.push(word.slice(0, -1));
      values.push([cluster, words[++at] ?? '']);
    } else if (word.includes('=')) {
      const [name = '', value = ''] = word.split(/=(.*)/s);
      values.push([name, value]);
      flags.push(word);
    } else flags.push(word);
  }
  return { flags, values, rest: words.slice(at) };
}

/** `-n`, also within `-xn`, or one of its long names. */
export function has(flags: readonly string[], letter: string, ...long: readonly string[]): boolean {
  return flags.some((flag) => long.includes(flag) || (/^-[a-zA-Z]+$/.test(flag) && flag.includes(letter)));
}
