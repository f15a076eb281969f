import { describeStore } from '../../src/testing/index.ts';
import { postgresHarness } from '../conformance/postgres-harness.ts';

describeStore(postgresHarness(15));
