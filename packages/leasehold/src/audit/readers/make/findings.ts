import type { Finding } from '../../model/finding.ts';
import { redact } from '../../redact.ts';
import { objectAt, textAt } from '../json/json-value.ts';
import { type LineFound, lineFound } from '../lines/line-findings.ts';
import { doingOf, type LineStep } from '../lines/line-step.ts';
import type { MakeFlags, MakeModule } from './scenario.ts';

/** Our own addresses and functions, called from a module. */
const OURS = /\/v1\/(?:locks|pools)\/|\bleasehold\./i;

const CLAIM_FIRST =
  'Put a module before the first one that changes anything that claims the record with Leasehold (SQL in a PostgreSQL module, with the id of the record: docs/guides/sql.md#make), and a filter behind it that goes on only where the answer says that the record is owned.';
const LOCK_FIRST =
  'Put a module first that takes the lock with Leasehold (SQL in a PostgreSQL module: docs/guides/sql.md#make), a filter behind it that goes on where `proceed` is true, and a release at the end of each route.';

/**
 * What the switches of a scenario do to records: block, duplicate or lose them (the fields are
 * `metadata.scenario.sequential`, `dlq` and `dataloss`, whose names in the editor are others).
 */
export function makeFindings(flags: MakeFlags, modules: readonly MakeModule[]): Finding[] {
  const trigger = modules[0];
  if (trigger === undefined) return [];
  const isGuarded = modules.some(callsLeasehold);
  return [...blocking(flags), ...duplicating(flags, trigger, isGuarded), ...losing(flags, trigger)];
}

/** What lies between reading and marking. A first module that watches brings each record once. Routes run one after the other. */
export function makeLine(modules: readonly MakeModule[]): LineFound {
  const steps = modules.filter(({ isHandler }) => !isHandler).map(stepOf);
  const [first] = steps;
  if (first !== undefined && first.does !== 'read') steps[0] = { ...first, does: 'other' };
  return lineFound(steps, { step: 'module', claim: CLAIM_FIRST });
}

function stepOf(module: MakeModule): LineStep {
  const [app = '', action = ''] = module.module.split(':');
  const does = callsLeasehold(module) ? 'ours' : doingOf(app, action);
  return { label: module.label, app, action: module.module, does };
}

function blocking({ sequential, keepsIncomplete }: MakeFlags): Finding[] {
  if (!sequential || !keepsIncomplete) return [];
  return [
    {
      rule: 'make.sequential-blocks',
      severity: 'warning',
      message:
        'Sequential processing and storing of incomplete executions are both on: one failed run that nobody resolves stops the whole scenario.',
      evidence: [setting('sequential', true), setting('dlq', true)],
      advice: `Switch sequential processing off and keep runs apart by a lease, which ends by itself. ${LOCK_FIRST}`,
    },
  ];
}

function duplicating(flags: MakeFlags, trigger: MakeModule, isGuarded: boolean): Finding[] {
  const { sequential, keepsIncomplete, isInstant } = flags;
  if (isGuarded) return [];
  const evidence = [setting('sequential', sequential), setting('dlq', keepsIncomplete), moduleOf(trigger)];
  const advice = isInstant ? CLAIM_FIRST : LOCK_FIRST;
  if (sequential) {
    return [
      {
        rule: 'platform.switch-is-no-lock',
        severity: 'warning',
        message: isInstant
          ? 'Sequential processing takes webhooks one at a time, and it is no lock: "Run once", a call of the API and a retried webhook bring the same record again.'
          : 'Sequential processing is no lock: it keeps webhooks in line, while "Run once", a call of the API and a retry of an incomplete execution may meet a scheduled run and read the same records.',
        evidence,
        advice,
      },
    ];
  }
  const reason = isInstant
    ? 'the webhook starts a run for each request, beside those that are still going'
    : keepsIncomplete
      ? 'an incomplete execution is retried later, and may meet a scheduled run'
      : '"Run once" and calls of the API may meet a scheduled run';
  return [
    {
      rule: 'guard.missing',
      severity: isInstant || keepsIncomplete ? 'warning' : 'info',
      message: `Nothing keeps two runs of this scenario apart: sequential processing is off, and ${reason}.`,
      evidence,
      advice,
    },
  ];
}

function losing({ keepsIncomplete, dropsData, isInstant }: MakeFlags, trigger: MakeModule): Finding[] {
  if (dropsData) {
    return [
      {
        rule: 'make.data-loss',
        severity: 'warning',
        message:
          '"Enable data loss" is on: where an incomplete execution can\'t be stored, the scenario goes on, and what it was working on is gone.',
        evidence: [setting('dataloss', true), setting('dlq', keepsIncomplete)],
        advice: `Switch "Enable data loss" off, and let an input that was not finished be found again. ${CLAIM_FIRST}`,
      },
    ];
  }
  if (keepsIncomplete) return [];
  return [
    {
      rule: 'make.data-loss',
      severity: isInstant ? 'warning' : 'info',
      message: isInstant
        ? 'Incomplete executions are not stored: the record that a failed run was working on came by the webhook and is lost.'
        : 'Incomplete executions are not stored: a failed run is rolled back, and the records that it had already worked are read and worked again.',
      evidence: [setting('dlq', false), moduleOf(trigger)],
      advice: isInstant
        ? 'Switch on "Store incomplete executions", and look through them; or fill a pool of Leasehold from the webhook and work it in a scenario of its own.'
        : CLAIM_FIRST,
    },
  ];
}

function setting(name: string, value: boolean): { readonly setting: string; readonly value: boolean } {
  return { setting: `metadata.scenario.${name}`, value };
}

function moduleOf({ id, module, label }: MakeModule): {
  readonly module: string;
  readonly id: string;
  readonly name: string;
} {
  return { module: redact(module), id, name: redact(label) };
}

/** By an app of that name, or an HTTP or SQL module that names our service or schema. */
function callsLeasehold({ module, value }: MakeModule): boolean {
  if (/(?:^|#)leasehold/i.test(module)) return true;
  const mapper = objectAt(value, 'mapper');
  if (mapper === null) return false;
  return ['url', 'query', 'sql', 'statement'].some((key) => OURS.test(textAt(mapper, key) ?? ''));
}
