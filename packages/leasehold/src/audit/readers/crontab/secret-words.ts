/** Which words of a command nobody should see: those that a report's own rules take out of it, and passwords beside them. */
import { isKey, isPassword } from '../../made-up.ts';
import { redact } from '../../redact.ts';

/** True for a word of this command: asked of one command, the command is looked at once. */
export function secretWords(words: readonly string[]): (word: string) => boolean {
  const shown = redact(words.join(' '));
  // What loses its secret by itself, as an address does, is shown without it.
  return (word) => looksSecret(word) || (!shown.includes(word) && redact(word) === word);
}

/** Long words without a path or a dot that mix letters and digits are taken for keys. */
const KEY_LIKE = /^(?=.*\d)(?=.*[a-z])[\w+=-]{20,}$/i;

/** Each part of `user:password`, `user/password@host` and `user%password` counts, but not those of an address. */
function looksSecret(word: string): boolean {
  if (word.includes('://')) return false;
  if (/^[^/@]+\/[^/@]+@/.test(word)) return true;
  return isPassword(word) || KEY_LIKE.test(word) || word.split(/[:%,]/).some((part) => isPassword(part) || isKey(part));
}
