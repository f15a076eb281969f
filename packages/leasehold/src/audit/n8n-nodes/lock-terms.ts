/**
 * How a lock is asked for, as far as it stands there: its name, its lease, and whether each run is a start of its own. By
 * SQL and by HTTP; of our own node nobody needs to ask.
 */
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from '../readers/n8n-workflow/definition.ts';
import { blankExpressions, expressionsIn, replaceExpressions } from './blank.ts';
import { constantOf } from './constant-expressions.ts';
import { leaseMsOf } from './lease-text.ts';
import { callArguments, type SqlArgument } from './sql-arguments.ts';
import { isExpression } from './values.ts';
import { varyingExpression, type VaryingPart, varyingSql } from './varying-name.ts';

export interface LockTerms {
  /** Null where it is put together, or not known. */
  readonly name: string | null;
  /** What in its name changes by itself; null where nothing is known to. */
  readonly varies: VaryingPart | null;
  /** What n8n puts into its name. */
  readonly parts: readonly string[];
  /** Null where it isn't known. */
  readonly leaseMs: number | null;
  /** True where holder and run id are the same for each run: then each is taken for a repeat of the first. */
  readonly isOneStart: boolean;
  /** True where it is told to go on whoever has the lock. */
  readonly isPassedBy: boolean;
}

const ACQUIRE = [
  'lock_name',
  'lease',
  'holder',
  'slot',
  'run_id',
  'on_stale',
  'again',
  'trigger',
  'grace',
  'holder_info',
  'waiting',
  'bypass_reason',
];

export type LockCall =
  | { readonly does: 'take'; readonly terms: LockTerms }
  /** The lease of its own that it is given; null where it keeps the one it had. */
  | { readonly does: 'renew'; readonly leaseMs: number | null }
  /** Null where it isn't known which. */
  | { readonly does: 'free'; readonly name: string | null };

/** Null where the statement does nothing with a lock. Of one that takes it to give it back, that it gives it back. */
export function sqlLockCall(parameters: Fields): LockCall | null {
  const freed = callArguments(parameters, 'release', ['lock_name']);
  // With a pause behind it (`after`) it stays shut for a while.
  if (freed !== null) return freed.has('after') ? null : { does: 'free', name: constantIn(freed.get('lock_name')) };
  const terms = sqlLockTerms(parameters);
  if (terms !== null) return { does: 'take', terms };
  const renewed = callArguments(parameters, 'renew', ['lock_name', 'token', 'lease']);
  return renewed === null ? null : { does: 'renew', leaseMs: leaseMsOf(constantIn(renewed.get('lease')) ?? '') };
}

export function httpLockCall(parameters: Fields, verb: string): LockCall | null {
  if (verb === 'acquire') return { does: 'take', terms: httpLockTerms(parameters) };
  if (verb === 'release') return { does: 'free', name: httpName(parameters) };
  return verb === 'renew' ? { does: 'renew', leaseMs: leaseOf(bodyOf(parameters)) } : null;
}

function sqlLockTerms(parameters: Fields): LockTerms | null {
  const call = callArguments(parameters, 'acquire', ACQUIRE);
  if (call === null) return null;
  const [name, lease, holder, runId, bypass] = ['lock_name', 'lease', 'holder', 'run_id', 'bypass_reason'].map((key) =>
    call.get(key),
  );
  return {
    name: constantIn(name),
    varies: variesIn(name),
    parts: name?.expressions ?? [],
    leaseMs: leaseMsOf(constantIn(lease) ?? ''),
    isOneStart: isConstant(holder) && isConstant(runId),
    isPassedBy: isConstant(bypass) && !/^null\b/i.test(bypass?.text ?? ''),
  };
}

function isConstant(argument: SqlArgument | undefined): boolean {
  return constantIn(argument) !== null && !/^null\b/i.test(argument?.text ?? '');
}

/** A text, or an expression that comes to one, whatever it is cast to; `interval '5 minutes'`, too. */
function constantIn(argument: SqlArgument | undefined): string | null {
  if (argument === undefined || argument.isUnknown) return null;
  const text = /^(?:interval\s*)?('(?:[^']|'')*'|\{\{[^]*\}\}|-?\d+)\s*(?:::\s*\w+\s*)*$/i.exec(argument.text)?.[1];
  if (text === undefined) return null;
  const inner = text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
  if (!inner.includes('{{')) return inner;
  const [expression = ''] = argument.expressions;
  const value = /^\{\{[^{}]*\}\}$/.test(inner) ? constantOf(`={{ ${expression} }}`) : null;
  if (value !== null) return String(value);
  // What belongs to the workflow is the same in each run of it.
  return argument.expressions.every((each) => OF_WORKFLOW.test(each)) ? inner : null;
}

const OF_WORKFLOW = /^\s*\$(?:workflow|env|vars)\s*(?:\.\s*\w+|\[\s*["'`]\w+["'`]\s*\])\s*$/;

function variesIn(argument: SqlArgument | undefined): VaryingPart | null {
  if (argument === undefined) return null;
  return varyingText(argument.text) ?? varyingSql(argument.code, argument.text);
}

const PATH = /\/locks\/([^/#]*)\/(?:acquire|release|renew)\b/i;
const ADDRESS_MAX = 2_000;

/** The same of an address `…/v1/locks/NAME/acquire` and its body. */
function httpLockTerms(parameters: Fields): LockTerms {
  const body = bodyOf(parameters);
  return {
    name: httpName(parameters),
    varies: varyingText(nameInAddress(parameters) ?? ''),
    parts: expressionsIn(nameInAddress(parameters) ?? ''),
    leaseMs: leaseOf(body),
    isOneStart: fixed(body['holder']) !== null && fixed(body['runId']) !== null,
    isPassedBy: fixed(body['bypassReason']) !== null,
  };
}

/** The name in the address of a lock; null where it is put together, or not known. */
function httpName(parameters: Fields): string | null {
  const name = nameInAddress(parameters);
  return name === null || name === '' || /[{}$]/.test(name) ? null : name;
}

/** As it stands: what n8n fills in with its brackets, or as a part of an expression that makes the whole address. */
function nameInAddress(parameters: Fields): string | null {
  const address = (textOf(parameters['url'] ?? parameters['endpoint']) ?? '').slice(0, ADDRESS_MAX);
  const found = PATH.exec(blankExpressions(address));
  if (found === null) {
    const part = PATH.exec(address)?.[1];
    return part === undefined ? null : `{{ ${part} }}`;
  }
  const start = found.index + '/locks/'.length;
  return address.slice(start, start + (found[1] ?? '').length);
}

export function varyingText(text: string): VaryingPart | null {
  for (const expression of expressionsIn(text)) {
    const part = varyingExpression(expression);
    if (part !== null) return part;
  }
  return null;
}

function leaseOf(body: Fields): number | null {
  const leaseMs = numberOf(fixed(body['leaseMs']));
  return leaseMs > 0 ? leaseMs : leaseMsOf(fixed(body['lease']) ?? '');
}

function fixed(value: unknown): string | null {
  return isExpression(value) && constantOf(value) === null ? null : textOf(constantOf(value));
}

/** As JSON, or as a list of fields; empty where it isn't known. Expressions in it stay texts. */
function bodyOf(parameters: Fields): Fields {
  const json = textOf(parameters['jsonBody'] ?? parameters['bodyParametersJson']);
  if (json !== null) return parsed(json.replace(/^=/, ''));
  const list = listOf(
    fieldsOf(parameters['bodyParameters'] ?? parameters['bodyParametersUi'])['parameters'] ??
      fieldsOf(parameters['bodyParametersUi'])['parameter'],
  );
  return Object.fromEntries(list.map(fieldsOf).map(({ name, value }) => [textOf(name) ?? '', value]));
}

function parsed(json: string): Fields {
  try {
    // An expression may bring quotes of its own, and stand without any.
    const value: unknown = JSON.parse(
      replaceExpressions(json, '{{?}}').replaceAll(/(?<=[:[,]\s*)\{\{\?\}\}/g, '"{{?}}"'),
    );
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
