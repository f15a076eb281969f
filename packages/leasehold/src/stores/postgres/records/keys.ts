import type { NewRecord } from '../../../ports/record-store.ts';

/** Ids, versions, payloads and instants of records as arrays; null for one in which nothing is said. */
export function columnsOf(
  records: readonly NewRecord[],
): [string[], string[] | null, (string | null)[] | null, (Date | null)[] | null] {
  const versions = records.map(({ version }) => version);
  const payloads = records.map(({ payload }) => payload);
  const notBefores = records.map(({ notBefore }) => notBefore);
  return [
    records.map(({ id }) => id),
    versions.every((version) => version === '') ? null : versions,
    payloads.every((payload) => payload === null) ? null : payloads,
    notBefores.every((notBefore) => notBefore === null) ? null : notBefores,
  ];
}
