import type { OwnTable } from '../domain/own-table/own-table.ts';
import { LeaseholdError } from '../errors.ts';
import { type Fragment, fragmentsOf, keyValues, type Style } from './fragments.ts';
import { readHeader, readTemplates, type Subject, type Template } from './templates.ts';

/**
 * The statements of `leasehold sql`: tested SQL for a table that is not ours, for any platform's SQL step.
 *
 * Identity: a row is its id; a claim is the token that its rows carry. The row remembers its latest token, also after it
 * was settled or freed, so a late verdict counts as long as nobody has claimed the row since. Clock: that of the database,
 * read after the row was locked: a statement that may wait locks in a materialised part and looks at the clock in the
 * part behind it. Crash: each statement is its own transaction; what a dead worker had claimed is free again after its
 * lease where it never began, else the sweep gives it to a person.
 */
export interface SqlStep {
  readonly step: string;
  /** What the caller gives, in this order. */
  readonly values: readonly string[];
  readonly about: string;
  /** Ends with a semicolon; has no comments. */
  readonly sql: string;
}

/** The statements of one subject for this table, in the order in which they are used. */
export function sqlSteps(table: OwnTable, subject: Subject, style: Style): readonly SqlStep[] {
  return readTemplates(table.dialect, subject)
    .filter(({ step }) => isWanted(step, table.isBegunExplicitly))
    .map((template) => fillTemplate(template, table, style));
}

/** With begins of their own, claims give back what never began; without, only rows that are named. */
function isWanted(step: string, isBegunExplicitly: boolean): boolean {
  if (step === 'begin' || step === 'return-unbegun') return isBegunExplicitly;
  return step !== 'return-unworked' || !isBegunExplicitly;
}

function fillTemplate(template: Template, table: OwnTable, style: Style): SqlStep {
  const values = template.values.flatMap((value) => (value === 'key' ? keyValues(table.keys) : [value]));
  const fragments = fragmentsOf(table, style, values);
  return {
    step: template.step.startsWith('return') ? 'return' : template.step,
    values,
    about: template.about.map((line) => fill(line, fragments)).join('\n'),
    sql: fill(template.sql, fragments),
  };
}

/** In one pass: what was filled in is not read again, so a name may look like a placeholder. */
function fill(text: string, fragments: ReadonlyMap<string, Fragment>): string {
  return text.replaceAll(/\{([^{}]+)\}/g, (_, words: string) => {
    const whole = fragments.get(words);
    if (whole !== undefined) return whole('');
    const name = [...fragments.keys()].find((each) => words.startsWith(`${each} `));
    const fragment = name === undefined ? undefined : fragments.get(name);
    if (name === undefined || fragment === undefined) throw new LeaseholdError('INTERNAL', `no fragment {${words}}`);
    return fragment(words.slice(name.length + 1));
  });
}

/** The statements as one page of SQL, each with its comment. */
export function sqlPage(table: OwnTable, steps: readonly SqlStep[], style: Style): string {
  const header = [...readHeader(style === 'dollar' ? 'postgres' : style), ...readHeader('limits')];
  const fragments = fragmentsOf(table, style, []);
  return [
    commented(header.map((line) => fill(line, fragments)).join('\n')),
    ...steps.map(({ step, values, about, sql }) => {
      const given = values.length === 0 ? '' : `\nValues: ${values.join(', ')}.`;
      return `${commented(`== ${step}\n${about}${given}`)}\n${sql}`;
    }),
  ].join('\n\n');
}

/** Each line behind dashes of its own: whatever it says, it stays a comment. */
function commented(text: string): string {
  return text.replaceAll(/^/gm, '-- ');
}
