import type { Command, Help, Option } from 'commander';
import type { Entry } from './page.ts';
import { PAGES } from './pages.ts';
import { EVERY_EXIT, PROGRAM_EXAMPLES } from './program-page.ts';
import { STORE_ENVIRONMENT, STORE_FILES } from './page.ts';
import { VALUES } from './values.ts';

/**
 * Help as text: the same on every terminal and in a pipe, 80 columns, no colours. A command without a page of its
 * own is one that only gathers others, and lists them.
 */

const COLUMNS = 80;
/** A longer term has its meaning below it. */
const TERM_WIDTH_MAX = 28;

/** For commander's `configureHelp`. */
export function formatHelp(command: Command, helper: Help): string {
  return command.parent === null ? programHelp(command, helper) : commandHelp(command, helper);
}

function programHelp(program: Command, helper: Help): string {
  const commands = helper.visibleCommands(program).map((each): Entry => [each.name(), each.description()]);
  return joined([
    'Usage: leasehold COMMAND [options]',
    wrapped(program.description(), 0),
    section('Commands', [
      ...commands,
      ['help [COMMAND]', 'the manual page of a command; also: leasehold COMMAND --help'],
    ]),
    section('Options of every command', helper.visibleOptions(program).map(optionEntry(helper))),
    section('Exit codes', EVERY_EXIT),
    examples(PROGRAM_EXAMPLES),
    section('Environment', STORE_ENVIRONMENT),
    section('Files', STORE_FILES),
    wrapped('See also: leasehold demo, leasehold doctor, docs/cli.md', 0),
  ]);
}

function commandHelp(command: Command, helper: Help): string {
  const page = PAGES.get(pathOf(command));
  const options = helper.visibleOptions(command);
  const isOwn = (option: Option): boolean => !SHARED.has(option.long ?? '');
  return joined([
    `Usage: leasehold ${page?.usage ?? `${pathOf(command)} COMMAND [options]`}`,
    wrapped(`${capitalised(command.description())}.`, 0),
    ...(page?.about ?? []).map((paragraph) => wrapped(paragraph, 0)),
    section(
      'Arguments',
      helper.visibleArguments(command).map((each): Entry => [`<${each.name()}>`, each.description]),
    ),
    section(
      'Commands',
      helper.visibleCommands(command).map((each): Entry => [each.name(), each.description()]),
    ),
    section('Options', options.filter(isOwn).map(optionEntry(helper))),
    section('Options of every command', options.filter((option) => !isOwn(option)).map(optionEntry(helper))),
    section('Values', valuesOf(options)),
    section('Exit codes', page?.exitCodes ?? []),
    examples(page?.examples ?? []),
    section('Environment', page?.environment ?? []),
    section('Files', page?.files ?? []),
    page === undefined ? '' : wrapped(`See also: ${page.seeAlso.join(', ')}`, 0),
  ]);
}

const SHARED: ReadonlySet<string> = new Set(['--store', '--config', '--json', '--help']);

/** `alert test` for the command `test` of `alert`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function optionEntry(helper: Help): (option: Option) => Entry {
  return (option) => [helper.optionTerm(option), helper.optionDescription(option)];
}

function valuesOf(options: readonly Option[]): readonly Entry[] {
  const flags = options.map((option) => option.flags).join(' ');
  return VALUES.filter(([placeholder]) => flags.includes(placeholder));
}

function examples(given: readonly { readonly what: string; readonly line: string }[]): string {
  if (given.length === 0) return '';
  return ['Examples:', ...given.map(({ what, line }) => `${wrapped(`# ${what}`, 2)}\n  ${line}`)].join('\n');
}

/** Empty where there is nothing to say. */
function section(title: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return '';
  const width = Math.min(TERM_WIDTH_MAX, Math.max(...entries.map(([term]) => term.length)));
  return [`${title}:`, ...entries.map((entry) => formatEntry(entry, width))].join('\n');
}

function formatEntry([term, meaning]: Entry, width: number): string {
  const indent = width + 4;
  const text = wrapped(meaning, indent);
  return term.length > width ? `  ${term}\n${text}` : `  ${term.padEnd(width)}  ${text.trimStart()}`;
}

/** Lines of at most 80 columns where the words allow it, each with this much room before it. What is quoted stays whole. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.replaceAll(QUOTED, (quoted) => quoted.replaceAll(' ', UNBROKEN)).split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && indent + line.length + 1 + word.length <= COLUMNS)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line.replaceAll(UNBROKEN, ' ')).join('\n');
}

/** Between quotes of either kind, the first of which begins a word. */
const QUOTED = /(?<=^| )(?:'[^']*'|"[^"]*")/g;
const UNBROKEN = '\u00A0';

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
