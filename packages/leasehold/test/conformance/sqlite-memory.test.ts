import { describeStore } from '../../src/testing/index.ts';
import { sqliteMemoryHarness } from './sqlite-harness.ts';

describeStore(sqliteMemoryHarness());
