/**
 * What daylight saving does to a schedule within the window, by the rules of its host: a start that is moved, left out or
 * doubled, several at once, a silent hour; and a schedule in UTC that drifts against the clock on the wall.
 */
import { formatDuration } from '../../../domain/duration.ts';
import type { Evidence, Finding, Severity } from '../../model/finding.ts';
import type { FoundSchedule } from '../../model/schedule.ts';
import { type ChangeEffect, effectsOf, usualGaps } from '../../schedule/change-effects.ts';
import { changeWords, wallWords } from '../../schedule/change-words.ts';
import { counted, instantText } from '../../words.ts';
import { KeptResults } from '../../schedule/kept-results.ts';
import type { PlannedRule } from '../../schedule/planned-rule.ts';
import type { PlannedStarts } from '../../schedule/planned-starts.ts';
import { type ClockChange, openZone, type Zone } from '../../schedule/zone.ts';

const CHANGES_MAX = 60;
const EVIDENCE_MAX = 20;
const SAID_MAX = 4;

export function clockChanges(plan: PlannedStarts): Finding[] {
  return plan.rules.flatMap((rule) => [...changed(rule, plan), ...drifting(rule, plan)]);
}

interface Found {
  readonly change: ClockChange;
  readonly effect: ChangeEffect;
}

const FOUND = new KeptResults<readonly Found[]>(5_000);

function changed(planned: PlannedRule, { schedule, zone, window }: PlannedStarts): Finding[] {
  const rule = planned.filters ?? planned;
  const { days } = rule;
  if (days === null) return [];
  const changes = zone.changes(window.fromMs, window.toMs).slice(0, CHANGES_MAX);
  if (changes.length === 0) return [];
  const key = [schedule.host, schedule.timezone === null, zone.name, window.fromMs, window.toMs, rule.rule.expression];
  const found = FOUND.get(JSON.stringify([...key, rule.rule.plan]), () => {
    const usual = usualGaps(days, window.fromMs);
    return changes.flatMap((change) => effectsOf(rule, zone, change, usual).map((effect) => ({ change, effect })));
  });
  if (found.length === 0) return [];
  const said = found.slice(0, SAID_MAX).map(({ effect }) => effectWords(effect));
  const more = found.length > SAID_MAX ? `; and ${found.length - SAID_MAX} more` : '';
  const isWarning = found.some(({ effect }) => SEVERITIES[effect.kind] === 'warning');
  return [
    {
      rule: 'schedule.dst',
      severity: isWarning ? 'warning' : 'info',
      message: `When the clocks of ${zone.name} change, "${rule.rule.expression}" changes with them${rule === planned ? '' : ', where it is due on that day'}: ${said.join('; ')}${more}.`,
      evidence: found
        .slice(0, EVIDENCE_MAX)
        .map(({ change, effect }) => evidenceOf(rule, schedule, zone, { change, effect })),
      advice: `Move it out of the time that ${zone.name} skips and repeats (${hoursOf(changes)}), or plan it in UTC.`,
    },
  ];
}

const SEVERITIES: Readonly<Record<ChangeEffect['kind'], Severity>> = {
  moved: 'info',
  dropped: 'warning',
  doubled: 'warning',
  added: 'warning',
  together: 'warning',
  silent: 'warning',
  closer: 'warning',
};

function effectWords(effect: ChangeEffect): string {
  switch (effect.kind) {
    case 'moved':
      return `${wallWords(effect.wallMs, 0)} does not exist, and it starts at ${listed(effect.starts)} instead`;
    case 'dropped':
      return effect.walls.length === 1
        ? `${spanWords(effect.walls)} does not exist, and it does not start at all`
        : `${spanWords(effect.walls)} do not exist, and ${counted(effect.walls.length, 'start')} are lost`;
    case 'doubled':
      return effect.walls.length === 1
        ? `${spanWords(effect.walls)} comes twice, and it starts at ${listed(effect.starts)}`
        : `${spanWords(effect.walls)} come twice, and ${counted(effect.walls.length, 'start')} are repeated`;
    case 'added':
      return `it also starts at ${listed(effect.starts)}, which no time of it asks for`;
    case 'together':
      return `${effect.count} starts come at once at ${instantText(effect.atMs)}, since skipped ones are made up for`;
    case 'silent':
      return `nothing starts from ${instantText(effect.fromMs)} to ${instantText(effect.toMs)} (${formatDuration(effect.toMs - effect.fromMs)})`;
    case 'closer':
      return `two starts come only ${formatDuration(effect.toMs - effect.fromMs)} apart at ${instantText(effect.toMs)}`;
  }
}

/** `2026-03-29 02:00`, `2026-03-29 02:00 to 02:30`. */
function spanWords(walls: readonly number[]): string {
  const [first = 0] = walls;
  const last = walls.at(-1) ?? first;
  return first === last ? wallWords(first, 0) : `${wallWords(first, 0)} to ${wallWords(last, 0).slice(11)}`;
}

const listed = (starts: readonly number[]): string => starts.map(instantText).join(' and at ');

function evidenceOf({ rule }: PlannedRule, schedule: FoundSchedule, zone: Zone, { change, effect }: Found): Evidence {
  return {
    ...rule.place,
    kind: effect.kind,
    changeAt: instantText(change.atMs),
    change: changeWords(change, zone),
    starts: 'starts' in effect ? effect.starts.map(instantText) : [],
    asIn: programOf(schedule),
  };
}

/** Whose way through a change was reckoned: other programs, and other versions, have their own. */
function programOf({ host, timezone }: FoundSchedule): string {
  if (host === 'n8n') return 'n8n 2.41';
  if (host === 'cron') return timezone === null ? 'Debian cron 3.0pl1' : 'cronie';
  return 'the clock on the wall';
}

/** The local times that are skipped or repeated, of all changes: `01:00 to 03:00`. */
function hoursOf(changes: readonly ClockChange[]): string {
  const spans = changes.map(({ atMs, beforeMs, afterMs }) => {
    const [from, to] = [Math.min(beforeMs, afterMs), Math.max(beforeMs, afterMs)].map((offset) =>
      wallWords(atMs, offset).slice(11),
    );
    return `${from} to ${to}`;
  });
  return [...new Set(spans)].join(', ');
}

/** Planned in a zone without changes, and read where the clocks change: an hour later in summer, by the wall. */
function drifting({ rule, days }: PlannedRule, { schedule, zone, window }: PlannedStarts): Finding[] {
  const local = window.timezone === null ? null : openZone(window.timezone);
  if (days === null || local === null || schedule.timezone === null || days.fields.hours.length === 24) return [];
  const [change] = local.changes(window.fromMs, window.toMs);
  if (change === undefined || zone.changes(window.fromMs, window.toMs).length > 0) return [];
  const time = days.times[0] ?? 0;
  const [before, after] = [change.beforeMs, change.afterMs].map((offset) =>
    wallWords(time - zone.offsetAt(change.atMs), offset).slice(11),
  );
  return [
    {
      rule: 'schedule.dst',
      severity: 'info',
      message: `"${rule.expression}" is planned in ${zone.name}, which has no daylight saving: in ${local.name} it starts at ${before ?? ''} before ${instantText(change.atMs)} and at ${after ?? ''} after it.`,
      evidence: [
        { ...rule.place, kind: 'drift', changeAt: instantText(change.atMs), change: changeWords(change, local) },
      ],
      advice: `Nothing, if the hour on the wall does not matter; else plan it in ${local.name}.`,
    },
  ];
}
