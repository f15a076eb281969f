import { counted } from '../../words.ts';

export const CSV_SAID = {
  unclosedQuote: 'A quote that begins here or before is not closed: what came before it was read.',
  tooManyValues: (values: number, columns: number): string =>
    `${values} values for ${columns} columns: left out. A value with the separator in it has to be quoted.`,
  pagesToDownload: (count: number): string =>
    `A list of ${counted(count, 'address', 'addresses')} and no runs: the run pages must be downloaded, then audited as files; nothing is fetched from here.`,
} as const;
