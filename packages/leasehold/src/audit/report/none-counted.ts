import { oneLine } from '../../domain/one-line.ts';
import type { AuditedWorkflow } from '../model/report.ts';
import { counted, grouped } from '../words.ts';
import { wrapped } from './wrap.ts';

const NAMES_MAX = 5;
const NAME_LENGTH_MAX = 300;

const REASONS = {
  clock: 'times that cannot be believed or read',
  'no-start': 'no start',
  open: 'no end',
  waiting: 'waiting',
  manual: 'started by hand',
  'sub-workflow': 'started by another workflow',
  retry: 'a retry',
} as const;

export const isNoneCounted = ({ history: { runs, used } }: AuditedWorkflow): boolean => runs > 0 && used === 0;

/** Workflows of whose runs none could be counted: that nothing was found says nothing of them. Empty where there are none. */
export function noneCountedText(workflows: readonly AuditedWorkflow[]): string {
  const silent = workflows.filter(isNoneCounted);
  if (silent.length === 0) return '';
  const shown = silent.slice(0, NAMES_MAX).map(({ name, history: { runs, excluded } }) => {
    const [most] = [...Map.groupBy(excluded, ({ reason }) => reason)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    );
    const why = most === undefined ? '' : `, ${most[1].length < excluded.length ? 'mostly ' : ''}${REASONS[most[0]]}`;
    return `${oneLine(name, NAME_LENGTH_MAX)} (${counted(runs, 'run')}${why})`;
  });
  const more = silent.length - shown.length;
  return wrapped(
    `No run could be counted of ${shown.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}: nothing is known of how long they take or what overlaps.`,
    0,
    2,
  );
}
