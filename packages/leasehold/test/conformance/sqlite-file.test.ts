import { describeStore } from '../../src/testing/index.ts';
import { sqliteFileHarness } from './sqlite-harness.ts';

describeStore(sqliteFileHarness());
