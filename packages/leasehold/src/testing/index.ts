/**
 * What a store, or code that uses Leasehold, is tested with.
 *
 * `describeStore` is the definition of a store: an engine of your own is one when it passes. The
 * clock and the ids are for tests alone; production code can't be given them.
 */
export { describeStore } from './conformance/describe-store.ts';
export type { Capability, RowChange, StoreHarness, StoreUnderTest } from './conformance/stage/harness.ts';
export { CountingIds } from './counting-ids.ts';
export { FakeClock } from './fake-clock.ts';
export { composeLeasehold } from '../engine/leasehold.ts';
export type { EngineParts } from '../engine/parts.ts';
export type { Clock } from '../ports/clock.ts';
export type { Ids } from '../ports/ids.ts';
export type { Store } from '../ports/store.ts';
