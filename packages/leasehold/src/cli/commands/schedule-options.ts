import type { Command } from 'commander';
import type { ScheduleOptions } from '../../engine/api.ts';
import type { CommandContext } from '../context.ts';
import { parseSchedule, parseSlot, parseTimezone, usageError } from '../options.ts';

/** The options that say which slot a start belongs to. */
export interface SlotCommandOptions {
  readonly slot?: Date;
  readonly schedule?: string;
  readonly timezone?: string;
  readonly again?: boolean;
}

export function withSlotOptions(command: Command): Command {
  return command
    .option(
      '--schedule <cron>',
      "when starts are planned, as in the crontab: '0 * * * *'; gives the slot",
      parseSchedule,
    )
    .option(
      '--timezone <tz>',
      'the zone of --schedule, for example Europe/Berlin; default this process has',
      parseTimezone,
    )
    .option('--slot <iso>', 'the instant this start was scheduled for, with its zone', parseSlot)
    .option('--again', 'a manual rerun of a slot that is done');
}

/** The part of a start that says its slot. Throws INVALID_ARGUMENT for a schedule that can't be read, before any store is opened. */
export async function slotOptions(
  options: SlotCommandOptions,
  context: CommandContext,
): Promise<{ slotAt?: Date; schedule?: ScheduleOptions; again?: boolean }> {
  const { slot, schedule: expression, timezone, again } = options;
  if (timezone !== undefined && expression === undefined) throw usageError('--timezone belongs to --schedule');
  const schedule =
    expression === undefined ? undefined : { expression, ...(timezone === undefined ? {} : { timezone }) };
  if (schedule !== undefined) await context.openSchedule({ timezone: null, ...schedule });
  return {
    ...(slot === undefined ? {} : { slotAt: slot }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(again === true ? { again: true } : {}),
  };
}
