import { readFileSync } from 'node:fs';
import type { Dialect } from '../domain/own-table/names.ts';
import { LeaseholdError } from '../errors.ts';

/** What a page of statements is about: `leasehold sql claim`, `verdict`, `sweep`, `columns`. */
export const SUBJECTS = ['claim', 'verdict', 'sweep', 'columns'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** One statement before its placeholders are filled in. */
export interface Template {
  readonly step: string;
  /** What the caller gives, in this order; `key` stands for the columns of the id. */
  readonly values: readonly string[];
  /** Its comment, without the dashes. */
  readonly about: readonly string[];
  readonly sql: string;
}

/** Each file by its subject. They are named here in full, so that no file can be left behind. */
const FILES: Readonly<Record<Dialect, Readonly<Record<Subject, string>>>> = {
  postgres: {
    claim: 'postgres/claim.sql',
    verdict: 'postgres/verdict.sql',
    sweep: 'postgres/sweep.sql',
    columns: 'postgres/columns.sql',
  },
  sqlite: {
    claim: 'sqlite/claim.sql',
    verdict: 'sqlite/verdict.sql',
    sweep: 'sqlite/sweep.sql',
    columns: 'sqlite/columns.sql',
  },
};

/** The statements of a subject, in the order of their file. */
export function readTemplates(dialect: Dialect, subject: Subject): readonly Template[] {
  return parse(FILES[dialect][subject]);
}

/** A comment of the header: what counts for all statements of a kind. */
export function readHeader(step: string): readonly string[] {
  const found = parse('header.sql').find((template) => template.step === step);
  if (found === undefined) throw new LeaseholdError('INTERNAL', `no header ${step}`);
  return found.about;
}

function parse(file: string): readonly Template[] {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
  return text
    .split(/^-- step: /m)
    .slice(1)
    .map((part) => {
      const [step = '', ...lines] = part.trimEnd().split('\n');
      const comments = lines.filter((line) => line.startsWith('-- ')).map((line) => line.slice(3));
      const values = comments.find((line) => line.startsWith('values:'));
      return {
        step: step.trim(),
        values: (values?.slice('values:'.length) ?? '')
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== 'none' && each !== ''),
        about: comments.filter((line) => line !== values),
        sql: lines
          .filter((line) => !line.startsWith('--'))
          .join('\n')
          .trim(),
      };
    });
}
