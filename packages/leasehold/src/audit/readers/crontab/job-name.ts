/** How a line of a crontab is called: by its program and what it works on, without anything that may be secret. */
import { redact } from '../../redact.ts';
import { secretWords } from './secret-words.ts';
import { baseName } from './unwrap.ts';

const LENGTH_MAX = 80;
const WORDS_MAX = 4;
/** Options whose value nobody else should see. */
const SECRET_OPTION = /^(?:-u|-p|-H|-b|-d|-e)$|pass|token|secret|key|auth|user|header|cookie|data|cred/i;
/** Options that take a password in some program; of others the value is a number, a path or a plain word. */
const MAYBE_SECRET_OPTION = /^-(?:w|a|k|P|U|W)$/;
/** Programs that take passwords as words of their own: of these only paths are shown. */
const TAKES_SECRETS = /^(?:htpasswd|net|snmp\w+|expect|smbpasswd|xfreerdp|mc|sqlplus)$/;
const PLAIN_VALUE = /^[\d.:]+$|[/.]/;

export function nameOf(words: readonly string[], fallback: string): string {
  const [program, ...rest] = words;
  if (program === undefined || program === '') return fallback;
  const isSecretWord = secretWords(words);
  if (isSecretWord(program)) return fallback;
  const shown = [baseName(program)];
  const isWary = TAKES_SECRETS.test(shown[0] ?? '');
  let isValue = false;
  let mayBeValue = false;
  for (const word of rest) {
    const isOption = word.startsWith('-');
    const isSecret =
      isValue || (mayBeValue && !PLAIN_VALUE.test(word)) || isSecretWord(word) || (isWary && !word.includes('/'));
    isValue = isOption && !word.includes('=') && SECRET_OPTION.test(word);
    mayBeValue = MAYBE_SECRET_OPTION.test(word);
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
