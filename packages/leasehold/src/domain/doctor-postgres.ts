import { type Finding, ok, problem, unknown, warning } from './doctor.ts';
import { judgeSchema } from './doctor-schema.ts';
import { judgeDurability, judgeReplication } from './doctor-replication.ts';
import { formatDuration } from './duration.ts';
import type { ClockFacts, OldTransactionFacts, PoolerFacts, PostgresFacts, RightsFacts } from './store-facts.ts';

/** The versions that the tests run on, oldest and newest. */
const TESTED = { from: 15, to: 18 };
/** Logs of two hosts that differ by less can be read beside each other. */
const SKEW_MS_MAX = 1_000;
/** The store waits no longer for a row (900 ms), so a server that cuts calls off earlier cuts off what would end well. */
const SERVER_TIMEOUT_MS_MIN = 1_000;
/** Longer than any transaction of a healthy application, and long enough for rows of a busy lock to pile up. */
const OLD_TRANSACTION_MS = 10 * 60_000;

/** Everything that is to be said of a PostgreSQL store itself. */
export function judgePostgres(facts: PostgresFacts): Finding[] {
  return [
    judgeVersion(facts),
    judgeWritable(facts),
    judgeSchema(facts.schema, 'as the owner role run: leasehold migrate'),
    judgeRights(facts.rights, facts.schema.installed),
    judgePooler(facts.pooler),
    judgeClock(facts.clock),
    judgeDurability(facts),
    judgeReplication(facts),
    judgeIsolation(facts),
    judgeTimeouts(facts),
    judgeOldTransactions(facts.old),
  ];
}

function judgeVersion({ version, versionNumber }: PostgresFacts): Finding {
  const major = Math.floor(versionNumber / 10_000);
  const tested = `${TESTED.from} to ${TESTED.to}`;
  if (major < TESTED.from) {
    return problem('server', `PostgreSQL ${version} is too old; Leasehold needs ${tested}: update the server.`);
  }
  if (major > TESTED.to) {
    return warning(
      'server',
      `PostgreSQL ${version} is newer than what this Leasehold was tested on (${tested}); see whether a newer Leasehold knows it.`,
    );
  }
  return ok('server', `PostgreSQL ${version}.`);
}

function judgeWritable({ isStandby, isReadOnly }: PostgresFacts): Finding {
  if (isStandby) {
    return problem('writable', 'This is a standby, so nothing can start; name the primary in the store URL.');
  }
  if (isReadOnly) {
    return problem(
      'writable',
      'Transactions are read-only here (default_transaction_read_only), so nothing can start; switch that off for this role and database.',
    );
  }
  return ok('writable', 'A primary that takes writes.');
}

function judgeRights({ role, isSuperuser, isOwner, maySee, missing }: RightsFacts, installed: number | null): Finding {
  if (installed === 0) return unknown('rights', `Role ${role}; what it may do is known once there is a schema.`);
  const grant = `as the schema's owner: select leasehold.grant_to('${role.replaceAll("'", "''")}')`;
  if (!maySee) return problem('rights', `Role ${role} may not use the schema leasehold; ${grant}.`);
  if (missing.length > 0) {
    return problem('rights', `Role ${role} may not execute ${shortened(missing)} of the schema leasehold; ${grant}.`);
  }
  if (isSuperuser) return ok('rights', `Role ${role} is a superuser; a role with EXECUTE alone is enough to run jobs.`);
  if (isOwner) {
    return ok('rights', `Role ${role} owns the schema; a role with EXECUTE alone is enough to run jobs.`);
  }
  return ok('rights', `Role ${role} may execute what it needs and owns nothing.`);
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more functions` : shown;
}

function judgePooler({ isBetween, sharing }: PoolerFacts): Finding {
  if (isBetween === null)
    return unknown('pooler', 'Whether a pooler is in between can not be seen; Leasehold works either way.');
  if (!isBetween) return ok('pooler', 'None: this process talks to the server itself.');
  if (sharing === null)
    return ok('pooler', 'A pooler is in between, in which mode was not seen; Leasehold works in each.');
  return ok(
    'pooler',
    `A pooler in ${sharing} mode is in between. That works: nothing of Leasehold hangs on a session.`,
  );
}

function judgeClock({ askedAt, serverAt, answeredAt }: ClockFacts): Finding {
  const offMs = serverAt - (askedAt + answeredAt) / 2;
  const toleranceMs = (answeredAt - askedAt) / 2;
  const roundTrip = `measured to ${Math.ceil(toleranceMs)} ms`;
  if (Math.abs(offMs) - toleranceMs <= SKEW_MS_MAX) {
    return ok(
      'clock',
      `The server's clock and this host's differ by ${Math.round(Math.abs(offMs))} ms (${roundTrip}).`,
    );
  }
  const way = offMs > 0 ? 'ahead of' : 'behind';
  return warning(
    'clock',
    `The server's clock is ${formatDuration(Math.abs(offMs))} ${way} this host's (${roundTrip}). Leases don't mind: the server's alone decides. Slots go by this host's, and logs of both don't fit together: set both by NTP.`,
  );
}

function judgeIsolation({ settings }: PostgresFacts): Finding {
  const level = settings.default_transaction_isolation ?? null;
  if (level === null) return unknown('isolation', 'The default isolation level was not told.');
  if (level === 'read committed' || level === 'read uncommitted') return ok('isolation', `${level}, the usual level.`);
  return ok('isolation', `${level}. That works; calls that meet one another are repeated, so a busy lock is slower.`);
}

function judgeTimeouts({ settings }: PostgresFacts): Finding {
  const names = ['statement_timeout', 'lock_timeout', 'transaction_timeout'] as const;
  const set = names.flatMap((name) => {
    const ms = Number(settings[name] ?? 0);
    return ms > 0 ? [{ name, ms }] : [];
  });
  const short = set.filter(({ ms }) => ms < SERVER_TIMEOUT_MS_MIN).map(({ name, ms }) => `${name} ${ms} ms`);
  if (short.length > 0) {
    return warning(
      'timeouts',
      `${short.join(', ')} for this role: the server ends calls that would have been answered, and a start then is exit 69. Give the role 5 s or more, or none: alter role … set.`,
    );
  }
  if (set.length === 0) return ok('timeouts', 'The server ends no call early.');
  return ok('timeouts', `${set.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ')}: long enough.`);
}

function judgeOldTransactions({ transactionMs, preparedMs, hiddenCount }: OldTransactionFacts): Finding {
  const check = 'transactions';
  if (preparedMs !== null && preparedMs > OLD_TRANSACTION_MS) {
    return warning(
      check,
      `A prepared transaction is ${formatDuration(preparedMs)} old. It keeps its locks and every old row until somebody ends it: see pg_prepared_xacts.`,
    );
  }
  if (transactionMs !== null && transactionMs > OLD_TRANSACTION_MS) {
    return ok(
      check,
      `A transaction has been open for ${formatDuration(transactionMs)}; old rows stay until it ends. See pg_stat_activity.`,
    );
  }
  if (hiddenCount > 0) {
    return unknown(
      check,
      `Of ${hiddenCount} sessions this role may not see how old their transactions are; with pg_read_all_stats it may.`,
    );
  }
  return ok(check, `None is older than ${formatDuration(OLD_TRANSACTION_MS)}.`);
}
