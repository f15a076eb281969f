import { begunMessage, recordName, verdictAcceptedMessage } from '../../../domain/records/messages.ts';
import type {
  BeginAnswer,
  BeginRefusal,
  RecordState,
  VerdictAnswer,
  VerdictRefusal,
} from '../../../domain/records/record.ts';
import type { BeginItem, VerdictItem, WorkAnswer, WorkRequest } from '../../../ports/record-store.ts';
import type { CallOptions } from '../../../ports/store.ts';
import type { Connection } from '../connection.ts';
import { instantOrNull, number, numberOrNull, onlyRow, type Row, text, textOrNull } from '../rows.ts';
import { CALLS } from './calls.ts';

/** `leasehold.work`; an item said again after a lost answer counts once. */
export async function work(
  connection: Connection,
  { pool, verdicts, begins }: WorkRequest,
  call?: CallOptions,
): Promise<WorkAnswer> {
  const values = [
    pool,
    verdicts.map(({ id }) => id),
    verdicts.map(({ token }) => token),
    verdicts.map(({ verdict }) => verdict),
    verdicts.map(({ providerRef }) => providerRef),
    verdicts.map(({ error }) => error),
    verdicts.map(({ isPermanent }) => isPermanent),
    begins.map(({ id }) => id),
    begins.map(({ token }) => token),
    sharedTokens([...verdicts, ...begins]),
  ];
  const row = onlyRow(await connection.call(CALLS.work, values, call?.timeoutMs));
  const answers = new Map<number, VerdictAnswer | BeginAnswer>();
  addOrdinary(answers, row as unknown as OrdinaryAnswers, { pool, verdicts, begins });
  for (const other of (row['others'] ?? []) as Row[]) {
    const ordinal = number(other, 'ordinal');
    if (other['is_begin'] === true) answers.set(-ordinal, toBegin(pool, other));
    else answers.set(ordinal, toVerdict(pool, other, verdicts[ordinal - 1]?.providerRef ?? null));
  }
  return {
    verdicts: verdicts.map((_, index) => answers.get(index + 1) as VerdictAnswer),
    begins: begins.map((_, index) => answers.get(-index - 1) as BeginAnswer),
  };
}

/** Null where each comes from its claim's own handle, which costs nothing then. */
function sharedTokens(items: readonly (BeginItem | VerdictItem)[]): string[] | null {
  const tokens = new Set(items.flatMap(({ token, isByToken = false }) => (isByToken ? [token] : [])));
  return tokens.size === 0 ? null : [...tokens];
}

/** What is done as it mostly is comes without words, which would take the server longer than the rest, and many at once in columns. */
interface OrdinaryAnswers {
  /** The ordinal, from 1, of a verdict; less than zero that of a begin. */
  readonly places: readonly number[] | null;
  readonly versions: readonly string[];
  readonly attempts: readonly number[];
  /** Of the lease, of begins. */
  readonly remaining_ms: readonly (number | null)[];
  /** Of all begins. */
  readonly begun_at: string;
}

function addOrdinary(
  answers: Map<number, VerdictAnswer | BeginAnswer>,
  { places, versions, attempts, remaining_ms: remainingMs, begun_at: begunAt }: OrdinaryAnswers,
  { pool, verdicts, begins }: WorkRequest,
): void {
  for (const [index, place] of (places ?? []).entries()) {
    const version = versions[index] ?? '';
    const verdict = verdicts[place - 1];
    const begin = begins[-place - 1];
    if (verdict !== undefined) answers.set(place, toDone(pool, version, verdict));
    else if (begin !== undefined) {
      const came = { attempt: attempts[index] ?? 0, begunAt: new Date(begunAt), remainingMs: remainingMs[index] ?? 0 };
      answers.set(place, toBegun(pool, version, begin, came));
    }
  }
}

function toDone(pool: string, version: string, { id, providerRef }: VerdictItem): VerdictAnswer {
  const message = doneMessage(pool, { id, version }, providerRef);
  return { outcome: 'accepted', pool, id, version, state: 'done', notBefore: null, reason: null, message };
}

function doneMessage(
  pool: string,
  key: { readonly id: string; readonly version: string | null },
  providerRef: string | null,
): string {
  return verdictAcceptedMessage(recordName(pool, key), { state: 'done', providerRef, notBefore: null, why: null });
}

function toBegun(
  pool: string,
  version: string,
  { id }: BeginItem,
  { attempt, begunAt, remainingMs }: { readonly attempt: number; readonly begunAt: Date; readonly remainingMs: number },
): BeginAnswer {
  return {
    outcome: 'accepted',
    pool,
    id,
    version,
    attempt,
    begunAt,
    remainingMs,
    reason: null,
    message: begunMessage(recordName(pool, { id, version }), attempt),
  };
}

function toVerdict(pool: string, row: Row, providerRef: string | null): VerdictAnswer {
  const id = text(row, 'id');
  const version = textOrNull(row, 'version');
  return {
    outcome: text(row, 'outcome') as VerdictAnswer['outcome'],
    pool,
    id,
    version,
    state: textOrNull(row, 'state') as RecordState | null,
    notBefore: instantOrNull(row, 'not_before'),
    reason: textOrNull(row, 'reason') as VerdictRefusal | null,
    message: textOrNull(row, 'message') ?? doneMessage(pool, { id, version }, providerRef),
  };
}

function toBegin(pool: string, row: Row): BeginAnswer {
  const id = text(row, 'id');
  const version = textOrNull(row, 'version');
  const attempt = numberOrNull(row, 'attempt');
  return {
    outcome: text(row, 'outcome') as BeginAnswer['outcome'],
    pool,
    id,
    version,
    attempt,
    begunAt: instantOrNull(row, 'begun_at'),
    remainingMs: numberOrNull(row, 'remaining_ms'),
    reason: textOrNull(row, 'reason') as BeginRefusal | null,
    message: textOrNull(row, 'message') ?? begunMessage(recordName(pool, { id, version }), attempt ?? 0),
  };
}
