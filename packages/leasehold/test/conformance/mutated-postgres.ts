/** The suite on a PostgreSQL whose functions lack the guard that LEASEHOLD_MUTATION names; run by negative-controls.test.ts. */
import { describeStore } from '../../src/testing/index.ts';
import { postgresHarness } from './postgres-harness.ts';
import { mutateFunctions } from './postgres-mutations.ts';

const name = process.env['LEASEHOLD_MUTATION'] ?? '';
describeStore(postgresHarness(18, { prepare: (admin) => mutateFunctions(admin, name) }));
