/**
 * What `leasehold COMMAND --help` says beside the options, which are where they are read: a manual page as data.
 * `format.ts` puts it into words, and a test reads every example with the real parser.
 */
export interface HelpPage {
  /** What follows `leasehold` on the line at the top of docs/cli.md. */
  readonly usage: string;
  /** What it does, in two to five sentences; one text a paragraph. */
  readonly about: readonly string[];
  /** In ascending order: the code as it is written, and what it means here. */
  readonly exitCodes: readonly Entry[];
  /** Two or more, but for a command that takes nothing. */
  readonly examples: readonly Example[];
  readonly environment: readonly Entry[];
  readonly files: readonly Entry[];
  /** Other commands, and pages of the documentation. */
  readonly seeAlso: readonly string[];
}

/** A word and what it means. */
export type Entry = readonly [term: string, meaning: string];

export interface Example {
  readonly what: string;
  /** As it is typed. */
  readonly line: string;
}

export const example = (what: string, line: string): Example => ({ what, line });

/** What a command that reads or mends the store may end with, beside what is its own. */
const STORE_EXITS: readonly Entry[] = [
  ['0', 'done'],
  ['64', 'the command line is wrong; no store was touched'],
  ['69', "the store can't be reached, is not there, timed out, is read-only or full"],
  ['70', 'a fault of Leasehold itself'],
  ['74', 'the answer could not be written to stdout'],
  ['78', 'the store or its configuration was refused: no store, no rights, no schema'],
];

/** The codes of such a command, with its own words for some. */
export function storeExits(...own: readonly Entry[]): readonly Entry[] {
  const common = STORE_EXITS.filter(([code]) => own.every(([ownCode]) => ownCode !== code));
  return [...common, ...own].toSorted(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

export const STORE_ENVIRONMENT: readonly Entry[] = [
  ['LEASEHOLD_STORE', 'the store, where --store is not given'],
  ['LEASEHOLD_CONFIG', 'a configuration file, where --config is not given'],
  ['XDG_CONFIG_HOME, XDG_STATE_HOME', "where the user's configuration and the default store are"],
  ['PG*', 'what a PostgreSQL URL leaves out'],
  ['NAME, where a file says env:NAME', 'a secret that stands in no file'],
];

export const TOKEN_ENVIRONMENT: readonly Entry[] = [
  ['LEASEHOLD_TOKEN', 'the token, where --token is not given; other users can not read it there'],
  ...STORE_ENVIRONMENT,
];

export const CLAIM_TOKEN_ENVIRONMENT: readonly Entry[] = [
  ['LEASEHOLD_CLAIM_TOKEN', "the claim's token, where --token is not given; other users can not read it there"],
  ...STORE_ENVIRONMENT,
];

export const STORE_FILES: readonly Entry[] = [
  [
    '/etc/leasehold.json',
    'for every user: {"store": "URL"}, and beside it "alerts" (who is told), "probes" (who is asked after holders), "retention" (how long runs and events are kept), "namespace" (whose effects these are, where production and staging share a provider)',
  ],
  ['~/.config/leasehold.json', 'the same, for this user'],
  ['~/.local/state/leasehold/leasehold.db', 'the store, where nothing names one'],
  ['~/.pgpass', 'passwords of PostgreSQL'],
];

/** Of commands that tell by themselves that no store can be reached. */
export const TELLING_FILES: readonly Entry[] = [
  ...STORE_FILES,
  ['~/.local/state/leasehold/told', 'that an outage was told, so that it is told once an hour'],
];
