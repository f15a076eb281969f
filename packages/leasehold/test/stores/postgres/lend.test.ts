/** A connection on loan: one and the same for several statements, and bounded whatever the borrower does. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { isLeaseholdError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import { systemIds } from '../../../src/platform/system-ids.ts';
import { connect, type Connection } from '../../../src/stores/postgres/connection.ts';
import { adminUrl } from '../../postgres.ts';

const BACKEND = 'select pg_backend_pid() as answer';
let connection: Connection;
before(async () => {
  connection = await connect({ url: adminUrl(18), name: 'postgres://test', clock: systemClock, ids: systemIds });
});
after(async () => await connection.close());

it('all statements of a loan reach the process that the log-in named, and the next loan may have it again', async () => {
  const backends = await connection.lend(
    async (client) => [client.processId, ...(await client.ask(BACKEND)), ...(await client.ask(BACKEND))],
    5_000,
  );
  assert.equal(new Set(backends).size, 1);
  assert.deepEqual(await connection.lend((client) => client.ask(BACKEND), 5_000), backends.slice(0, 1));
});

it('after a failure the connection is thrown away', async () => {
  const [lent] = await connection.lend((client) => client.ask(BACKEND), 5_000);
  await assert.rejects(
    connection.lend(async (client) => await client.ask('select no_such_column'), 5_000),
    (error) => isLeaseholdError(error),
  );
  assert.notDeepEqual(await connection.lend((client) => client.ask(BACKEND), 5_000), [lent]);
});

it('a borrower that never comes to an end is left, and its connection is thrown away', async () => {
  const [lent] = await connection.lend((client) => client.ask(BACKEND), 5_000);
  await assert.rejects(
    connection.lend((client) => client.ask('select pg_sleep(60) as answer'), 200),
    (error) => isLeaseholdError(error, 'STORE_UNREACHABLE'),
  );
  await systemClock.sleep(50);
  assert.notDeepEqual(await connection.lend((client) => client.ask(BACKEND), 5_000), [lent]);
});
