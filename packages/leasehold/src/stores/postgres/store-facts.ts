import type { ClockFacts, PostgresFacts, SchemaFacts } from '../../domain/store-facts.ts';
import { isLeaseholdError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { loadSqlBlocks } from '../sql-blocks.ts';
import type { Connection } from './connection.ts';
import { latestVersion } from './install-script.ts';
import { installedSchema } from './migrate.ts';
import { poolerFacts } from './pooler.ts';
import { number, numberOrNull, onlyRow, type Row, text } from './rows.ts';

/** The quickest of so many looks at the clock tells most: what delayed the others is in none of its halves. */
const CLOCK_LOOKS = 5;

const SQL = loadSqlBlocks(new URL('./store-facts.sql', import.meta.url), [
  'server',
  'clock',
  'settings',
  'standbys',
  'rights',
  'old_transactions',
  'begin',
  'backend',
  'rollback',
]);

/** What the server says of itself. Each question is a call of its own: the first that gets no answer ends them. */
export async function inspect(connection: Connection, clock: Clock): Promise<PostgresFacts> {
  const row = async (statement: string): Promise<Row> => onlyRow(await connection.call(statement, []));
  const server = await row(SQL.server);
  const standbys = await row(SQL.standbys);
  const rights = await row(SQL.rights);
  const old = await row(SQL.old_transactions);
  return {
    kind: 'postgres',
    version: text(server, 'version'),
    versionNumber: number(server, 'version_number'),
    isStandby: server['is_standby'] === true,
    isReadOnly: server['is_read_only'] === true,
    schema: await schemaFacts(connection),
    clock: await clockFacts(connection, clock),
    pooler: await poolerFacts(connection, SQL),
    settings: await row(SQL.settings),
    standbys: {
      count: number(standbys, 'count'),
      synchronousCount: number(standbys, 'synchronous'),
      hiddenCount: number(standbys, 'hidden'),
    },
    rights: {
      role: text(rights, 'role'),
      isSuperuser: rights['is_superuser'] === true,
      isOwner: rights['is_owner'] === true,
      maySee: rights['may_see'] === true,
      missing: rights['missing'] as string[],
    },
    old: {
      transactionMs: numberOrNull(old, 'transaction_ms'),
      preparedMs: numberOrNull(old, 'prepared_ms'),
      hiddenCount: number(old, 'hidden'),
    },
  };
}

async function schemaFacts(connection: Connection): Promise<SchemaFacts> {
  const known = latestVersion();
  try {
    const { version, needs } = await installedSchema(connection);
    return { installed: version, needs, known };
  } catch (error) {
    if (isLeaseholdError(error, 'STORE_FORBIDDEN')) return { installed: null, needs: null, known };
    throw error;
  }
}

async function clockFacts(connection: Connection, clock: Clock): Promise<ClockFacts> {
  let quickest = await lookAtClock(connection, clock);
  for (let look = 1; look < CLOCK_LOOKS; look += 1) {
    const next = await lookAtClock(connection, clock);
    if (next.answeredAt - next.askedAt < quickest.answeredAt - quickest.askedAt) quickest = next;
  }
  return quickest;
}

async function lookAtClock(connection: Connection, clock: Clock): Promise<ClockFacts> {
  const askedAt = clock.read().wallMs;
  const [serverAt = Number.NaN] = await connection.call<number>(SQL.clock, []);
  return { askedAt, serverAt, answeredAt: clock.read().wallMs };
}
