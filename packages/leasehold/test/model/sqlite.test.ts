/** What the model finds without a guard doesn't happen on the embedded store. */
import { sqliteFileHarness } from '../conformance/sqlite-harness.ts';
import { describeStories } from './describe-stories.ts';

describeStories(sqliteFileHarness());
