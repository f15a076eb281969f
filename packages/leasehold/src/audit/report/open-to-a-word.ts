import { oneLine } from '../../domain/one-line.ts';
import type { AuditedWorkflow } from '../model/report.ts';
import { counted } from '../words.ts';
import { wrapped } from './wrap.ts';

const SHOWN_MAX = 5;
const LENGTH_MAX = 600;
/** What a sentence names that leaves something to whoever reads it. */
const OPTION = /--(?:map|timezone|every)\b/;

/**
 * What was taken for granted and one option would change, each once: whoever doesn't know of it takes the figures for what
 * they may not be. Empty where nothing was.
 */
export function openToAWord(workflows: readonly AuditedWorkflow[]): string {
  const limits = workflows.flatMap(({ findings }) =>
    findings.filter(({ rule }) => rule === 'history.incomplete').flatMap(({ evidence }) => evidence),
  );
  const sentences = new Set(
    limits.flatMap(({ limit }) =>
      typeof limit === 'string' && OPTION.test(limit) ? [oneLine(limit, LENGTH_MAX)] : [],
    ),
  );
  if (sentences.size === 0) return '';
  const shown = [...sentences].slice(0, SHOWN_MAX).map((sentence) => wrapped(sentence, 2, 4));
  const more = sentences.size - shown.length;
  return [
    'Taken for granted:',
    ...shown,
    ...(more > 0 ? [`  ${counted(more, 'further sentence')}: --json lists all.`] : []),
  ].join('\n');
}
