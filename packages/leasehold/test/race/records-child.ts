/**
 * One of many processes that send a mail for each record of a pool, through a provider that recognises no key:
 *
 *     records-child.ts STORE-URL PROVIDER-URL queue            what is queued, until nothing is left
 *     records-child.ts STORE-URL PROVIDER-URL rows COUNT       the rows 0 … COUNT - 1, offered by id, once through
 *
 * It may be killed at any moment. Prints `begun` once its store is open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedRecord, openLeasehold, type Verifier } from '../../src/index.ts';

/** Two minutes of looking, at the pace below. */
const ROUNDS_MAX = 2_400;
const PAUSE_MS = 50;
const SLICE = 200;
const AT_ONCE = 10;
const CALL_MS = 1_000;

const [url = '', provider = '', mode = 'queue', count = '0'] = process.argv.slice(2);
await using leasehold = await openLeasehold(url);
process.stdout.write('begun\n');
const pool = leasehold.pool('mails');

const verifier: Verifier = {
  callTimeoutMs: CALL_MS,
  commitDelayMs: 400,
  visibilityDelayMs: 400,
  async lookup({ effectKey }, signal) {
    const answer = await fetch(`${provider}/messages/outbound?metadata_effect_key=${effectKey}`, { signal });
    const { Messages: mails } = (await answer.json()) as { Messages: readonly { MessageID: string }[] };
    const [mail] = mails;
    return mail === undefined ? { kind: 'absent' } : { kind: 'found', providerRef: mail.MessageID };
  },
};

async function send(record: ClaimedRecord): Promise<void> {
  if ((await record.begin()).outcome !== 'accepted') return;
  try {
    const answer = await fetch(`${provider}/email`, {
      method: 'POST',
      body: JSON.stringify({
        To: `${record.id}@example.com`,
        Metadata: { record: record.id, effect_key: record.effectKey },
      }),
      signal: AbortSignal.any([record.signal, AbortSignal.timeout(CALL_MS)]),
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const { MessageID: reference } = (await answer.json()) as { MessageID: string };
    await record.done(reference);
  } catch (error) {
    await record.unknown(error);
  }
}

async function sendAll(records: readonly ClaimedRecord[]): Promise<void> {
  const waiting = [...records];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) await send(record);
  });
  await Promise.all(workers);
}

async function workQueue(): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await pool.sweep({ verifier, everyMs: 1_000 });
    await using claim = await pool.claim({ limit: 50 });
    await sendAll(claim.owned);
    if (claim.owned.length > 0) continue;
    const status = await pool.status();
    if (status === null || status.queued + status.claimed === 0) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('records are left');
}

async function workRows(): Promise<void> {
  for (let first = 0; first < Number(count); first += SLICE) {
    const ids = Array.from({ length: Math.min(SLICE, Number(count) - first) }, (_, n) => `row-${first + n}`);
    await using claim = await pool.claim({ ids, limit: SLICE });
    await sendAll(claim.owned);
  }
}

await (mode === 'rows' ? workRows() : workQueue());
