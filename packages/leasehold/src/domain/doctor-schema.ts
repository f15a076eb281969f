import { type Finding, ok, problem, unknown } from './doctor.ts';
import type { SchemaFacts } from './store-facts.ts';

/** The schema of either engine: `howTo` says how this one gets it installed or updated. */
export function judgeSchema({ installed, needs, known }: SchemaFacts, howTo: string): Finding {
  if (installed === null) return unknown('schema', 'Its version may not be read by this role; see rights.');
  if (installed === 0) return problem('schema', `There is no Leasehold schema; ${howTo}.`);
  if (needs !== null && needs > known) {
    return problem(
      'schema',
      `Version ${installed} needs Leasehold of schema ${needs} or later, and this one knows ${known}; update leasehold here.`,
    );
  }
  if (installed < known) return problem('schema', `Version ${installed} is older than ${known}; ${howTo}.`);
  if (installed > known) {
    return ok('schema', `Version ${installed}, newer than this Leasehold (${known}), which may still use it.`);
  }
  return ok('schema', `Version ${installed}, the newest that this Leasehold knows.`);
}
