/** The printed statements on SQLite and on the oldest and newest PostgreSQL. */
import { POSTGRES_VERSIONS } from '../postgres.ts';
import { openPostgres, openSqlite } from './bench.ts';
import { describeSteps } from './describe-steps.ts';

describeSteps('SQLite', openSqlite);
for (const version of POSTGRES_VERSIONS) describeSteps(`PostgreSQL ${version}`, () => openPostgres(version));
