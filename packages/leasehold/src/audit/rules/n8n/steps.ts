/**
 * How a workflow of n8n is given a guard or a claim today: by SQL in its own Postgres node. One place, so that advice
 * never names a node that nobody can install.
 */
export const GUARD = 'a Leasehold guard (SQL in a Postgres node: docs/guides/sql.md#n8n)';
export const CLAIM = 'a Leasehold claim (SQL in a Postgres node: docs/sql-records.md)';
