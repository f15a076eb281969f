import { nameOf } from '../../graph/flow.ts';
import { startKind } from '../../graph/starts.ts';
import type { Finding } from '../../model/finding.ts';
import { findingOf, nodeEvidence, type StaticInput } from './input.ts';

/** Words by which people name what should run by itself. */
const BY_CLOCK =
  /\b(?:daily|hourly|weekly|monthly|nightly|scheduled?|every|cron|\d+\s*(?:h|hours?|min|minutes?|days?))\b|(?:quotidien|journalier|hebdo|t[äa]glich|st[üu]ndlich|diari[oa])/i;

/** A workflow that is named after a clock and has none in its file. */
export function noStart({ flow, schedule }: StaticInput): readonly Finding[] {
  if (schedule !== null || flow.triggers.length === 0) return [];
  if (!flow.triggers.every((at) => startKind(flow, at) === 'manual')) return [];
  if (!BY_CLOCK.test(flow.definition.name.replaceAll(/[_-]+/g, ' '))) return [];
  const trigger = flow.triggers[0] ?? 0;
  return [
    findingOf({
      rule: 'schedule.never-fires',
      severity: 'info',
      message: `No schedule in the file, though its name speaks of one: only "${nameOf(flow, trigger)}" starts this workflow, by hand.`,
      evidence: flow.triggers.map((at) => nodeEvidence(flow, at, 'starts')),
      advice: 'If it should run by itself, add a Schedule Trigger, with a Leasehold guard node behind it.',
    }),
  ];
}
