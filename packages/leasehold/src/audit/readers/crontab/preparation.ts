/** Commands of a line that it is not there for: they prepare, look, wait or tell. */

/** Words that prepare, look or tell, and do no work of their own. */
const SMALL: ReadonlySet<string> = new Set([
  '[',
  '[[',
  '.',
  ':',
  'cd',
  'echo',
  'exit',
  'export',
  'false',
  'logger',
  'mkdir',
  'printf',
  'rm',
  'set',
  'sleep',
  'source',
  'test',
  'touch',
  'true',
  'umask',
  'unset',
  'date',
  'trap',
  'wait',
  'ulimit',
  'pgrep',
  'pidof',
  'kill',
  'pkill',
  'which',
  // The shell's own words for what is done several times: what is done stands behind them.
  'for',
  'case',
  'select',
  'read',
  'type',
  'hash',
  'pushd',
  'popd',
  'shopt',
  'alias',
  'renice',
  'usleep',
  'mountpoint',
  'dotlockfile',
  'lockfile-remove',
  'lockfile-touch',
  'lockfile-check',
]);

type Worded = { readonly words: readonly string[] };

export const isSmall = ({ words }: Worded): boolean => {
  const [first] = words;
  return first === undefined || SMALL.has(baseOf(first)) || isLookUp(words) || isQuestion(words) || isDelay(words);
};

const baseOf = (program: string): string =>
  /^\/(?:usr\/)?bin\//.test(program) ? program.slice(program.lastIndexOf('/') + 1) : program;

/** `command -v x`: whether it is there. */
export const isLookUp = ([first, second]: readonly string[]): boolean =>
  first === 'command' && (second === '-v' || second === '-V');

/** It answers with its exit code, and prints nothing: what it is asked for decides whether the rest is done. */
function isQuestion(words: readonly string[]): boolean {
  const name = baseOf(words[0] ?? '');
  const second = words[1] ?? '';
  if (name === 'grep' || name === 'egrep')
    return words.some((word) => word === '--quiet' || /^-[a-zA-Z]*q[a-zA-Z]*$/.test(word));
  if (name === 'systemctl') return words.slice(1).some((word) => /^is-(?:active|enabled|failed)$/.test(word));
  if (name === 'eval') return /^(?:\$\(|`)/.test(second);
  return false;
}

const INTERPRETERS: ReadonlyMap<RegExp, string> = new Map([
  [/^python[\d.]*$/, '-c'],
  [/^(?:perl|ruby)[\d.]*$/, '-e'],
  [/^php[\d.]*$/, '-r'],
  [/^node$/, '-e'],
]);
/** Of a program that does nothing but sleep, each statement that doesn't sleep fetches a library or draws a number. */
const SLEEP = /\bu?sleep\b/;
const STATEMENT = /^(?:import|from|use|require|srand|mt_srand|my|\$?\w+\s*=)\b|\bu?sleep\b|^$/;

/** `perl -e 'sleep int(rand(3600))'`, as Debian's line for certbot has it: hosts that don't all come at once. */
function isDelay([program = '', option, code = '', ...more]: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  const isCode = [...INTERPRETERS].some(([pattern, own]) => pattern.test(name) && option === own);
  return (
    isCode && more.length === 0 && SLEEP.test(code) && code.split(/[;\n]/).every((each) => STATEMENT.test(each.trim()))
  );
}

/** Tells a watcher that the job begins, or is alive. */
export const isPing = ({ words }: Worded): boolean =>
  /^(?:curl|wget)$/.test(baseOf(words[0] ?? '')) && words.some((word) => PING.test(word));
const PING =
  /\/\/(?:hc-ping\.com|[\w.-]*healthchecks\.|cronitor\.link|[\w.-]*betterstack\.com\/api\/v1\/heartbeat|[\w.-]*deadmanssnitch\.com|nosnch\.in|heartbeat\.)|\/api\/push\//;
