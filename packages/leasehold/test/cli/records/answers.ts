/** A command's answer as one JSON object, with the exit code that came with it. */
import assert from 'node:assert/strict';
import type { Bench } from '../command-line.ts';

/** Whatever runs command lines, in processes of their own or in this one. */
export type Asked = Pick<Bench, 'folder' | 'store' | 'run' | 'json'>;

export type Answer = Record<string, unknown> & { readonly message: string };

export interface ClaimObject {
  readonly outcome: string;
  readonly pool: string;
  readonly claimId: string;
  readonly token: string | null;
  readonly leaseUntil: string | null;
  readonly remainingMs: number | null;
  readonly owned: readonly { id: string; version: string; effectKey: string; attempt: number; payload: unknown }[];
  readonly refused: readonly {
    id: string;
    version: string;
    why: string;
    by: string | null;
    since: string | null;
  }[];
  readonly settled: { readonly requeued: number; readonly review: number; readonly cancelled: number };
  readonly message: string;
}

/** Nothing may stand on stderr beside it. */
export async function ask<T = Answer>(
  bench: Asked,
  args: readonly string[],
  exitCode: number,
  stdin?: string,
): Promise<T> {
  const { code, stdout, stderr } = await bench.run([...args, '--json'], stdin === undefined ? {} : { stdin });
  assert.equal(code, exitCode, stderr);
  assert.equal(stderr, '');
  assert.match(stdout, /^[^\n]+\n$/, 'one object on one line');
  return JSON.parse(stdout) as T;
}

export const claim = (bench: Asked, args: readonly string[], stdin?: string): Promise<ClaimObject> =>
  ask<ClaimObject>(bench, ['claim', ...args], 0, stdin);

/** The token, which is there where something is owned. */
export function tokenOf({ token, message }: ClaimObject): string {
  assert.ok(token !== null, message);
  return token;
}

export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

export function assertFields(answer: object, fields: string): void {
  assert.deepEqual(Object.keys(answer), fields.split(' '));
}
