import type { RecordKey } from './record.ts';

/**
 * The effectKey: our key, sent to the provider with the effect, so that it can tell a repeat from a second effect.
 *
 * It is derived and not drawn, so that two stores that know the same record agree on it, and it is stored with the record
 * when that is first known, so that a namespace that is changed later doesn't turn a repeat into a second effect. A UUID
 * of version 8 (RFC 9562, appendix B.2: from a SHA-256) fits the strictest provider: 36 characters of `0-9a-f-`.
 */

/** The text whose SHA-256 is a record's key. `leasehold._effect_key` makes the same. */
export function effectKeyText(namespace: string, pool: string, { id, version }: RecordKey): string {
  return JSON.stringify(['leasehold', namespace, pool, id, version]);
}

/** The text whose SHA-256 is the key of another effect of the same record: of its invoice beside its email. */
export function purposeKeyText(effectKey: string, purpose: string): string {
  return JSON.stringify(['leasehold', effectKey, purpose]);
}

/** The key itself, from the SHA-256 of its text. */
export function effectKeyOf(digest: Uint8Array): string {
  const bytes = digest.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
