import { counted, grouped } from '../../words.ts';
import { ENTRY_BYTES_MAX } from './splitter.ts';

export const JSON_SAID = {
  notJson: 'Not JSON: left out.',
  tooLarge: (): string => `An entry of more than ${ENTRY_BYTES_MAX >> 20} MiB was left out.`,
  cutInLine: (line: number): string => `Cut short in line ${grouped(line)}: what came before it was read.`,
  cutAfter: (entries: number): string => `Cut short after entry ${grouped(entries)}: what came before that was read.`,
  /** `kind`: what it looks like; null where that can't be told. */
  cutWithNothing: (kind: string | null): string =>
    `Cut short${kind === null ? '' : `: ${kind}, by its beginning`}, and nothing in it is whole, so nothing of it was read; export it again.`,
  emptyHistory: 'An empty history: there is no run and no workflow in it.',
  ownReport: 'A report of an audit: audit what it was made of.',
  nothingKnown: (values: number): string =>
    values === 1
      ? 'JSON, but neither a history nor a workflow.'
      : `JSON of ${grouped(values)} entries, none of which is a run or a workflow.`,
  others: (count: number): string => `${counted(count, 'entry', 'entries')} left out: neither runs nor workflows.`,
} as const;
