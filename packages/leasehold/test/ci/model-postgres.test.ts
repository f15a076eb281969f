/** What the model finds without a guard doesn't happen on PostgreSQL. */
import { postgresHarness } from '../conformance/postgres-harness.ts';
import { POSTGRES_VERSIONS } from '../postgres-server.ts';
import { describeStories } from '../model/describe-stories.ts';

for (const version of POSTGRES_VERSIONS) describeStories(postgresHarness(version));
