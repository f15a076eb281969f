import { describeStore } from '../../src/testing/index.ts';
import { postgresHarness } from './postgres-harness.ts';

describeStore(postgresHarness(15));
