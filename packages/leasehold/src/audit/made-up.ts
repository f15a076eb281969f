/** Words as no person chooses them: keys, and passwords that a program made or asked for. */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const STAMP = /\d{8}T\d{4,6}Z?/g;
const KEY_MIN = 16;
const CHANGES_MIN = 3;
const PASSWORD_MIN = 6;

/** True for a UUID, sixteen hexadecimal digits, and what changes between letters and digits again and again. */
export function isKey(word: string): boolean {
  if (UUID.test(word)) return true;
  const plain = word.replaceAll(STAMP, '');
  if (plain.length < KEY_MIN || !/^[\w.~+=-]+$/.test(plain)) return false;
  if (/^(?=.*\d)(?=.*[a-f])[\da-f]+$/i.test(plain)) return true;
  const changes = plain.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0;
  return changes >= CHANGES_MIN || (changes > 0 && /[a-z][A-Z]{2}|[A-Z]{2}[a-z].*[a-z][A-Z]/.test(plain));
}

/** True for a word of small letters, capitals and digits, or of letters, a digit and a sign, with nothing of a path. */
export function isPassword(word: string): boolean {
  if (word.length < PASSWORD_MIN || /[/\\]|^[\w-]+\.[a-z]{1,5}$/.test(word)) return false;
  const hasDigit = /\d/.test(word);
  return hasDigit && ((/[a-z]/.test(word) && /[A-Z]/.test(word)) || (/[a-z]/i.test(word) && /[!#$%^&*?~]/.test(word)));
}
