import { formatDuration } from '../../../domain/duration.ts';
import { causeOf } from '../../collect/run-words.ts';
import { idleBefore } from '../../history/backlog.ts';
import type { History } from '../../history/history.ts';
import { pairsOf } from '../../history/pairs.ts';
import type { SharedSlot, SlotFacts } from '../../history/slots.ts';
import { counted, grouped, instantText } from '../../words.ts';
import type { Finding } from '../../model/finding.ts';
import { redactId } from '../../redact.ts';
import type { RuleContext } from '../rule.ts';

const NAMED_MAX = 20;
const RECENT_STARTS = 100;

/** One trigger that fires more than once, and one that should not fire at all. */
export function triggerDuplicate(context: RuleContext): readonly Finding[] {
  return [...severalStarts(context), ...inactive(context)];
}

function severalStarts({ history, slots, gapMs, subject }: RuleContext): readonly Finding[] {
  const lock =
    subject.definition?.bringsRecords === true ? '' : ' Until then a lock per slot lets one of the starts through.';
  const inSlots = slots === null ? [] : duplicatesOf(slots, history);
  const groups = inSlots.length > 0 ? inSlots : closeStarts(history, slots, gapMs);
  if (groups.length === 0) return [];
  const most = usualCount(groups);
  // Once may be a person who pressed a button; twice is a trigger.
  const isRecent = groups.length > 1 && (groups.at(-2)?.to ?? 0) > history.plannedMs.length - RECENT_STARTS;
  const versions = versionsOf(history, groups);
  const where =
    inSlots.length > 0 && slots !== null
      ? `${most} starts per slot in ${grouped(groups.length)} of ${counted(slots.slotCount, 'slot')} (a slot every ${gapText(slots)})`
      : `${most} starts within two seconds of each other, ${counted(groups.length, 'time')}`;
  const of =
    versions.length < 2 ? '' : `, of ${versions.length} versions of the workflow (${versions.slice(0, 5).join(', ')})`;
  return [
    {
      rule: 'trigger.duplicate',
      severity: isRecent ? 'critical' : 'warning',
      message: `${where}${of}: one trigger fires more than once.`,
      evidence: groups
        .slice(-NAMED_MAX)
        .toReversed()
        .map((group) => evidenceOf(group, history)),
      advice:
        versions.length < 2
          ? `Look for a second copy of the workflow, a second scheduler or worker process, and a schedule that stands twice; switch the workflow off, wait for one slot, and on again.${lock}`
          : `An old version is still scheduled beside the new one: switch the workflow off, restart the process that holds its triggers, and switch it on again.${lock}`,
    },
  ];
}

/** Of slots that nobody planned, those that look like several rules (whole steps of five minutes apart) are no duplicates. */
function duplicatesOf(slots: SlotFacts, { plannedMs }: History): readonly SharedSlot[] {
  if (slots.basis !== 'inferred') return slots.shared;
  return slots.shared.filter(({ from, to }) => {
    const apart = [...plannedMs.subarray(from + 1, to)].map((ms) => ms - (plannedMs[from] ?? ms));
    return !apart.every((ms) => ms > STEP_MS / 2 && Math.abs(ms - Math.round(ms / STEP_MS) * STEP_MS) <= NEAR_MS);
  });
}

const NEAR_MS = 2_000;
const STEP_MS = 300_000;

/** Where no slots are known: a schedule's starts within two seconds. Those of an unknown cause may be anything. */
function closeStarts(history: History, slots: SlotFacts | null, gapMs: number | null): readonly SharedSlot[] {
  if (slots !== null && slots.basis === 'planned') return [];
  const { plannedMs, plannedRows, table } = history;
  const idleMs = idleBefore(history);
  return (
    pairsOf(plannedMs, gapMs)
      .filter(({ from, to }) => {
        for (let at = from; at < to; at += 1) {
          if (causeOf(table.words[plannedRows[at] ?? 0] ?? 0) !== 'trigger') return false;
        }
        return true;
      })
      // Short runs that waited in line begin so, too: the first of them when the one that held them up ends.
      .filter(({ from, to }) => Math.abs(idleMs[from] ?? 0) > NEAR_MS && !isBacklog(slots, from, to))
      .map(({ from, to }) => ({ slotMs: plannedMs[from] ?? 0, from, to }))
  );
}

function isBacklog(slots: SlotFacts | null, from: number, to: number): boolean {
  const late = slots?.isLate.subarray(from, to).reduce((sum, isLate) => sum + isLate, 0) ?? 0;
  return to - from - late < 2;
}

/** How many starts most of them had; of two that are as usual the larger. */
function usualCount(groups: readonly SharedSlot[]): number {
  const sizes = Map.groupBy(groups, ({ from, to }) => to - from);
  const [usual] = [...sizes].toSorted(([one, ones], [other, others]) => others.length - ones.length || other - one);
  return usual?.[0] ?? 2;
}

function gapText({ gapMs, basis }: SlotFacts): string {
  return `${formatDuration(gapMs)}${basis === 'inferred' ? ', as its history shows it' : ''}`;
}

function versionsOf({ plannedRows, table }: History, groups: readonly SharedSlot[]): readonly string[] {
  const versions = new Set<string>();
  for (const { from, to } of groups.slice(-RECENT_STARTS)) {
    for (const row of plannedRows.subarray(from, to)) {
      const version = table.versionOf(row);
      if (version !== null) versions.add(redactId(version));
    }
  }
  return [...versions];
}

function evidenceOf({ slotMs, from, to }: SharedSlot, { plannedRows, table }: History): Finding['evidence'][number] {
  const rows = [...plannedRows.subarray(from, Math.min(to, from + NAMED_MAX))];
  const versions = rows.map((row) => table.versionOf(row)).filter((version) => version !== null);
  return {
    slotAt: instantText(slotMs),
    starts: to - from,
    runIds: rows.map((row) => redactId(table.ids.text(row))),
    startedAt: rows.map((row) => instantText(table.startMs[row] ?? Number.NaN)),
    ...(versions.length === 0 ? {} : { versions: versions.map(redactId) }),
  };
}

const DAY_MS = 86_400_000;
/** A trigger that was just fired may start its run a little after the switch. */
const SETTLE_MS = 5_000;

/** True of the finding that says so: whatever its definition says, it is not off. */
export function isStillExecuting({ rule, evidence }: Finding): boolean {
  return rule === 'trigger.duplicate' && evidence.some(({ inactive: isInactive }) => isInactive === true);
}

/** A workflow that is marked inactive and yet started, up to the end of what is known. */
function inactive({ subject: { definition, offTimes }, history, gapMs }: RuleContext): readonly Finding[] {
  const { plannedMs, plannedRows, table, untilMs } = history;
  const lastMs = plannedMs.at(-1);
  if (definition?.isActive !== false || lastMs === undefined || untilMs === null) return [];
  if (untilMs - lastMs > Math.max(DAY_MS, 2 * (gapMs ?? 0))) return [];
  // Where it is known since when it is off, what started before that is nobody's fault.
  const off = offTimes.find((time) => time.untilMs === null);
  if (off !== undefined && lastMs <= off.fromMs + SETTLE_MS) return [];
  const rows = Array.from(plannedRows.subarray(-NAMED_MAX)).toReversed();
  return [
    {
      rule: 'trigger.duplicate',
      severity: 'warning',
      message: `Inactive workflow still executing: it is marked inactive, yet its trigger started it ${counted(plannedMs.length, 'time')}, last at ${instantText(lastMs)}.`,
      evidence: rows.map((row) => ({
        inactive: true,
        runId: redactId(table.ids.text(row)),
        startedAt: instantText(table.startMs[row] ?? Number.NaN),
      })),
      advice:
        'If it was switched off before that, an old trigger survives: restart the process that holds the triggers, and look whether the workflow starts once more.',
    },
  ];
}
