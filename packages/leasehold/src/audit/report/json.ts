import type { AuditReport } from '../model/report.ts';

/**
 * The report as one JSON object on one line (design §9; `schemas/audit-report.schema.json`), a piece for each workflow:
 * ten thousand of them are more than one text should be.
 */
export function* jsonPieces({ workflows, unread }: AuditReport): Generator<string> {
  yield '{"workflows":[';
  for (const [at, workflow] of workflows.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(workflow)}`;
  yield `],"unread":${JSON.stringify(unread)}}`;
}
