import { formatDuration } from '../../../domain/duration.ts';
import { indexFrom } from '../../schedule/day-plan.ts';
import type { History } from '../../history/history.ts';
import type { EmptyStretch, SlotFacts } from '../../history/slots.ts';
import { changesNear, type ZoneGap, zoneGap } from '../../history/zone-gap.ts';
import { counted, grouped, instantText } from '../../words.ts';
import type { Evidence, Finding } from '../../model/finding.ts';
import type { RuleContext } from '../rule.ts';
import { isPoll } from './is-poll.ts';

const NAMED_MAX = 20;
/** So many slots without a start at the end are silence; fewer may be a slow one. */
const SILENT_SLOTS_MIN = 3;
const SLOTS_COUNTED_MAX = 100_000;

/**
 * Slots in which nothing started. Where a change of clocks accounts for them, that is said and no fault. A poll leaves
 * no run where it found nothing, and a history of failures alone has holes wherever all went well: neither is judged.
 */
export function slotMissed(context: RuleContext): readonly Finding[] {
  const { slots, history, subject } = context;
  if (isPoll(context) || history.hasOnlyFailures) return [];
  if (slots === null) return silentSinceEdit(context);
  const mayBeKeptOut = (subject.definition?.historyLimits.length ?? 0) > 0;
  const doubtful = doubtfulStarts(history);
  const inside = slots.empty
    .filter((stretch) => stretch.beforeMs !== null && !wasOff(stretch, context))
    .flatMap((stretch) => lessDoubtful(stretch, doubtful));
  const changes = changesNear(inside, zoneOf(context));
  const explained = inside.map((stretch) => ({ stretch, gap: zoneGap(stretch, changes) }));
  const plain = explained.filter(({ gap }) => gap === null).map(({ stretch }) => stretch);
  const changed = explained.flatMap(({ stretch, gap }) => (gap === null ? [] : [{ stretch, gap }]));
  return [
    ...missed(plain, silentEnd(context, doubtful), { slots, mayBeKeptOut }),
    ...(changed.length === 0 ? [] : [byClocks(changed)]),
    ...(slots.late === 0 ? [] : [late(slots)]),
    ...(slots.closed === 0 ? [] : [closed(slots)]),
    ...afterTheFile(context),
  ];
}

/** Runs before it was last changed and none after: there is no start to number slots by, but its schedule has them. */
function silentSinceEdit({ planned, history, subject: { definition, offTimes } }: RuleContext): readonly Finding[] {
  const sinceMs = definition?.changedAtMs;
  const { untilMs, plannedMs } = history;
  const lastMs = plannedMs.at(-1);
  if (planned === null || sinceMs === undefined || untilMs === null || lastMs === undefined || lastMs >= sinceMs)
    return [];
  if (definition?.isActive !== true || definition.historyLimits.length > 0 || offTimes.length > 0) return [];
  const gapMs = planned.maxGapMs ?? Number.POSITIVE_INFINITY;
  const slots = planned.isPhaseKnown
    ? planned.between(sinceMs, untilMs, SLOTS_COUNTED_MAX).length
    : Math.floor((untilMs - sinceMs) / gapMs);
  if (slots < SILENT_SLOTS_MIN) return [];
  return [
    {
      rule: 'slot.missed',
      severity: 'warning',
      message: `Since it was last changed at ${instantText(sinceMs)} nothing started: ${counted(slots, 'slot')} until the history ends.`,
      evidence: [{ changedAt: instantText(sinceMs), lastStartAt: instantText(lastMs), slots }],
      advice:
        'Look whether its trigger came back with the change: switch the workflow off and on, and wait for one slot.',
    },
  ];
}

/** True where it was switched off in all of these slots. */
function wasOff({ firstMs, lastMs }: EmptyStretch, { subject: { offTimes } }: RuleContext): boolean {
  return offTimes.some(({ fromMs, untilMs }) => firstMs >= fromMs && (untilMs === null || lastMs <= untilMs));
}

/** Starts that can't be believed, ascending. A slot that one of them may have filled is not called missed. */
function doubtfulStarts({ clockRows, table }: History): Float64Array {
  return Float64Array.from(clockRows, (row) => table.startMs[row] ?? Number.NaN)
    .filter((ms) => !Number.isNaN(ms))
    .toSorted();
}

function lessDoubtful(stretch: EmptyStretch, doubtful: Float64Array): readonly EmptyStretch[] {
  const { afterMs, beforeMs, count } = stretch;
  const until = beforeMs === null ? doubtful.length : indexFrom(doubtful, beforeMs);
  const filled = until - indexFrom(doubtful, afterMs);
  return filled >= count ? [] : [{ ...stretch, count: count - filled }];
}

/** The zone that the schedule is in, as far as anybody said. */
function zoneOf({ planned, subject, timezone }: RuleContext): string | null {
  if (planned !== null && planned.isZoneKnown) return planned.zone.name;
  return subject.definition?.schedule?.timezone ?? timezone;
}

/** The slots at the end of the history without a start; null where it goes on to its end, or was switched off. */
function silentEnd({ slots, subject }: RuleContext, doubtful: Float64Array): EmptyStretch | null {
  const found = slots?.empty.at(-1);
  if (found === undefined || found.beforeMs !== null) return null;
  const [last] = lessDoubtful(found, doubtful);
  if (last === undefined || last.count < SILENT_SLOTS_MIN) return null;
  return subject.definition?.isActive === false ? null : last;
}

function missed(
  inside: readonly EmptyStretch[],
  end: EmptyStretch | null,
  { slots, mayBeKeptOut }: { readonly slots: SlotFacts; readonly mayBeKeptOut: boolean },
): readonly Finding[] {
  const all = end === null ? inside : [...inside, end];
  if (all.length === 0) return [];
  const count = all.reduce((sum, stretch) => sum + stretch.count, 0);
  const sentences = [
    `${counted(count, 'slot')} of ${grouped(slots.slotCount)} had no start${slots.basis === 'planned' ? '' : ` (a start every ${formatDuration(slots.gapMs)} was expected${slots.basis === 'inferred' ? ', as the others show' : ''})`}.`,
    ...(end === null
      ? []
      : [`Since ${instantText(end.afterMs)} nothing started: ${counted(end.count, 'slot')} until the history ends.`]),
    ...(mayBeKeptOut ? ['Its runs are not all kept, so some of these may have run.'] : []),
  ];
  return [
    {
      rule: 'slot.missed',
      severity: mayBeKeptOut ? 'info' : 'warning',
      message: sentences.join(' '),
      evidence: all.slice(-NAMED_MAX).toReversed().map(stretchEvidence),
      advice:
        'Find out what happened at these instants: the host was down, the trigger had died (switch the workflow off and on), or a run before it held everything up. Watch for it: leasehold run NAME --schedule CRON tells of slots that nothing started in.',
    },
  ];
}

function stretchEvidence({ firstMs, lastMs, count, afterMs, beforeMs }: EmptyStretch): Evidence {
  return {
    firstSlotAt: instantText(firstMs),
    lastSlotAt: instantText(lastMs),
    slots: count,
    lastStartAt: instantText(afterMs),
    nextStartAt: beforeMs === null ? null : instantText(beforeMs),
  };
}

function byClocks(changed: readonly { readonly stretch: EmptyStretch; readonly gap: ZoneGap }[]): Finding {
  const [first] = changed;
  const gap = first?.gap;
  const count = changed.reduce((sum, { stretch }) => sum + stretch.count, 0);
  const kind =
    gap?.kind === 'repeated'
      ? `DST repeat: the clocks went back ${formatDuration(gap.changeMs)}, and the host waited for times that had been there already`
      : `DST skip: the clocks went forward ${formatDuration(gap?.changeMs ?? 0)}, over the time that was planned`;
  const zone = gap?.isZoneKnown === true ? gap.zone : `a zone such as ${gap?.zone ?? 'UTC'} (the zone is not known)`;
  return {
    rule: 'slot.missed',
    severity: 'info',
    message: `${counted(count, 'slot')} without a start ${count === 1 ? 'is' : 'are'} explained by a change of clocks in ${zone} at ${instantText(gap?.atMs ?? Number.NaN)} (${kind}).`,
    evidence: changed.slice(-NAMED_MAX).map(({ stretch, gap: own }) => ({
      ...stretchEvidence(stretch),
      zone: own.zone,
      changeAt: instantText(own.atMs),
      change: own.kind,
    })),
    advice:
      'Plan the job in UTC, or at an hour that the clocks neither skip nor repeat; expect this twice a year otherwise.',
  };
}

function late(slots: SlotFacts): Finding {
  return {
    rule: 'slot.missed',
    severity: 'info',
    message: `${counted(slots.late, 'start')} came so late that ${slots.late === 1 ? 'it' : 'they'} fell into a later slot: a backlog, and no extra start.`,
    evidence: [{ late: slots.late, gapMs: slots.gapMs }],
    advice: 'See what held the starts up: a queue, a concurrency limit, or a run before them that took too long.',
  };
}

/** Where the starts tell the schedule, nights and weekends without any are taken for a part of it. */
function closed({ closed: count, gapMs }: SlotFacts): Finding {
  return {
    rule: 'slot.missed',
    severity: 'info',
    message: `${counted(count, 'slot')} without a start ${count === 1 ? 'comes' : 'come'} at the same hours or weekdays again and again: taken for times at which nothing is planned.`,
    evidence: [{ closed: count, gapMs }],
    advice: 'Where it is planned at these times, too, audit it with its definition or crontab, or say --every.',
  };
}

/** A file doesn't say when it was written: nothing after its end is silence, or only not in it. */
function afterTheFile({ history, slots, nowMs, subject }: RuleContext): readonly Finding[] {
  const lastMs = history.plannedMs.at(-1);
  if (history.isLive || slots === null || lastMs === undefined || subject.definition?.isActive === false) return [];
  if (history.untilMs !== null && history.untilMs - lastMs > SILENT_SLOTS_MIN * slots.gapMs) return [];
  const count = Math.floor((nowMs - lastMs) / slots.gapMs);
  if (count < SILENT_SLOTS_MIN) return [];
  return [
    {
      rule: 'slot.missed',
      severity: 'info',
      message: `The history ends at ${instantText(lastMs)}. If it was taken later than that, its trigger has stopped: by now ${counted(count, 'slot')} would have had no start.`,
      evidence: [{ lastStartAt: instantText(lastMs), slotsSince: count }],
      advice: 'Audit a fresh export, or the running system itself.',
    },
  ];
}
