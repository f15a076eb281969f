import { grouped } from '../files/grouped.ts';

export const CSV_SAID = {
  unclosedQuote: 'A quote that begins here or before is not closed: what came before it was read.',
  pagesToDownload: (count: number): string =>
    `A list of ${grouped(count)} addresses of run pages, and no runs: the run pages must be downloaded, then audited as files; nothing is fetched from here.`,
} as const;
