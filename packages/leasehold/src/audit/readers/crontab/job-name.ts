/** How a line of a crontab is called: by its program and what it works on, without anything that may be secret. */
import { redact } from '../../redact.ts';
import { baseName } from './unwrap.ts';

const LENGTH_MAX = 80;
const WORDS_MAX = 4;
/** Options whose value nobody else should see. */
const SECRET_OPTION = /^(?:-u|-p|-H|-b|-d|-e)$|pass|token|secret|key|auth|user|header|cookie|data|cred/i;
/** Long words without a path or a dot that mix letters and digits are taken for keys. */
const KEY_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+=-]{20,}$/i;

export function nameOf(words: readonly string[], fallback: string): string {
  const [program, ...rest] = words;
  if (program === undefined || program === '') return fallback;
  const shown = [baseName(program)];
  let isValue = false;
  for (const word of rest) {
    const isOption = word.startsWith('-');
    const isSecret = isValue || KEY_LIKE.test(word);
    isValue = isOption && !word.includes('=') && SECRET_OPTION.test(word);
    if (isSecret || isOption || (word.includes('=') && !word.includes('://')) || word === '') continue;
    shown.push(word);
    if (shown.length === WORDS_MAX) break;
  }
  // Whole words are looked at: of a long address the cut would take away what shows its password to be one.
  const name = redact(printable(shown.join(' ')));
  return name.length > LENGTH_MAX ? `${name.slice(0, LENGTH_MAX - 1)}…` : name;
}

function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ');
}
