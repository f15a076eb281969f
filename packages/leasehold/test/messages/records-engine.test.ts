/** What the library says of records: of arguments that are refused, and to a logger. Clock: fake; the store is real. */
import { describe } from 'node:test';
import type { Pool } from '../../src/engine/records/api.ts';
import { openStage } from '../engine/stage.ts';
import { assertSaid, type Said } from './said.ts';

async function asked(ask: (pool: Pool) => Promise<unknown>): Promise<unknown> {
  await using stage = await openStage();
  return await ask(stage.leasehold.pool('mails'));
}

const claim = (options: object) => asked((pool) => pool.claim(options));
const sweep = (options: object) => asked((pool) => pool.sweep(options));
const verifier = (more: object) =>
  sweep({ verifier: { lookup: () => ({ kind: 'absent' }), commitDelayMs: 0, visibilityDelayMs: 0, ...more } });

const ARGUMENTS: readonly Said[] = [
  [
    () => claim({ ids: 'order-7' }),
    'ids must be a list (an array, a set, a generator, a stream); of one record it is [id]',
  ],
  [
    () => asked((pool) => pool.enqueue(7 as never)),
    'records must be a list (an array, a set, a generator, a stream); of one record it is [id]',
  ],
  [
    () => claim({ id: ['q'] }),
    'a claim has no option "id"; it has ids, limit, leaseMs, holder, holderInfo, claimId, lockToken, lock, begin, renewal, retryForMs, signal',
  ],
  [() => claim({ ids: undefined }), 'ids is undefined; leave it out to claim the next records of the queue'],
  [() => claim({ lockToken: undefined }), 'lockToken is undefined; leave it out to claim without a lock'],
  [() => claim({ lock: undefined }), 'lock is undefined; leave it out to claim without a lock'],
  [
    () => asked((pool) => pool.configure({ redo: 'safe', redoWindowMs: 60_000, callTimeoutMs: 60_000 })),
    'redoWindowMs of pool "mails" would be 60000 and its callTimeoutMs 60000: no repeat would be within it; make it longer, or say redo: \'ask\'',
  ],
  [
    () =>
      asked(async (pool) => {
        const [refused] = (await pool.claim({ ids: [{ id: 'a', versoin: '2' } as never] })).refused;
        return refused?.why === 'invalid' ? refused.message : null;
      }),
    '"versoin" is not known; a record has id, version, payload, notBefore',
  ],
  [() => claim({ limit: 0 }), 'claim limit must be a whole number from 1 to 10000'],
  [() => claim({ limit: -1 }), 'claim limit must be a whole number from 1 to 10000'],
  [() => claim({ limit: 1e9 }), 'claim limit must be a whole number from 1 to 10000'],
  [() => claim({ begin: 'later' }), 'begin must be "explicit" or "implied"'],
  [() => claim({ retryForMs: -1 }), 'retryForMs must be a number of milliseconds from 0 to 86400000'],
  [() => claim({ lock: {}, lockToken: 't' }), 'give lock or lockToken, not both'],
  [
    () => claim({ lock: { outcome: 'skipped' } }),
    'lock is a start that did not proceed (skipped); test proceed before claiming',
  ],
  [
    () => asked((pool) => pool.verdict({ id: 'a', token: 't', verdict: 'ok' as never })),
    'verdict must be "done" or "failed" or "unknown" or "review"',
  ],
  [
    () => asked((pool) => pool.configure({ leasMs: 5 } as object)),
    'a pool has no setting "leasMs"; it has redo, redoWindowMs, attempts, leaseMs, limit, callTimeoutMs, verifier',
  ],
  [() => asked((pool) => pool.configure({ verifier: {} })), 'verifier has no kind; give it an object with a "kind"'],
  [
    () => asked((pool) => pool.configure({ verifier: { kind: 'http' } })),
    'the kind of a verifier must be "function" in this release',
  ],
  [
    () => asked((pool) => pool.configure({ verifier: { kind: 'function', apiKey: 's3cret' } })),
    '"apiKey" is not known of a verifier; beside its kind it may have callTimeoutMs, commitDelayMs, visibilityDelayMs, retentionMs, idempotencyWindowMs, lookupTimeoutMs',
  ],
  [
    () => asked((pool) => pool.configure({ verifier: { kind: 'function', commitDelayMs: '1s' } })),
    'verifier commitDelayMs must be a whole number from 0 to 315360000000',
  ],
  [() => sweep({ concurrency: 0 }), 'concurrency must be a whole number from 1 to 50'],
  [() => sweep({ everyMs: 1 }), 'everyMs must be a number of milliseconds from 1000 to 86400000'],
  [() => verifier({ lookup: 'ask' }), 'verifier.lookup must be a function'],
  [
    () => verifier({ commitDelayMs: undefined }),
    'verifier needs commitDelayMs and visibilityDelayMs, as the provider documents them; 0 where there is none',
  ],
  [
    () => verifier({ visibilityDelayMs: -1 }),
    'verifier.visibilityDelayMs must be a number of milliseconds from 0 to 315360000000',
  ],
  [
    () => asked((pool) => pool.review({ id: 'a', action: 'drop' as never, reason: 'x' })),
    'action must be "ask" or "done" or "requeue" or "fail"',
  ],
];

describe('of arguments', () => assertSaid(ARGUMENTS));
