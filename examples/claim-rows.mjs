/**
 * Two runs over the same twelve rows, as two ticks of a schedule do where the first takes too long: each row is worked once.
 *
 *     node examples/claim-rows.mjs [STORE-URL]
 *
 * In a checkout of Leasehold: node --conditions=leasehold-source examples/claim-rows.mjs
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openLeasehold } from 'leasehold';

const [storeUrl = 'sqlite::memory:'] = process.argv.slice(2);
const rows = Array.from({ length: 12 }, (_, n) => ({ id: `order-${n + 1}`, email: `customer${n + 1}@example.com` }));
const mails = [];

/** Stands for a mail provider: takes its time, refuses one address, and confirms with a reference of its own. */
async function send(row, { key, signal }) {
  await sleep(20, undefined, { signal });
  if (row.email === 'customer7@example.com') throw Object.assign(new Error('no such mailbox'), { status: 422 });
  mails.push({ to: row.email, key });
  return `mail-${mails.length}`;
}

async function work(record) {
  // From here on the mail may have been sent; a record that is no longer ours is refused.
  const begun = await record.begin();
  if (begun.outcome === 'refused') return console.log(begun.message);
  try {
    await record.done(await send(record.payload, { key: record.effectKey, signal: record.signal }));
  } catch (error) {
    // A refusal means that nothing was sent. Of anything else nobody knows: a sweep asks, or a person.
    if (error.status === 422) await record.fail(error, { permanent: true });
    else await record.unknown(error);
  }
}

async function run(name, leasehold) {
  const offered = rows.map((row) => ({ id: row.id, payload: row }));
  let worked = 0;
  // Five at a time, until there is nothing left to claim. Leaving the block gives back what was not begun.
  for (let owned = 1; owned > 0; ) {
    await using claim = await leasehold.pool('order-mails').claim({ ids: offered, limit: 5, holder: name });
    await Promise.all(claim.owned.map(work));
    owned = claim.owned.length;
    worked += owned;
  }
  console.log(`${name} worked ${worked} rows`);
}

await using leasehold = await openLeasehold(storeUrl);
await Promise.all([run('first run', leasehold), run('second run', leasehold)]);
const { done, failed } = await leasehold.pool('order-mails').status();
console.log(
  `${mails.length} mails to ${new Set(mails.map(({ to }) => to)).size} customers; ${done} done, ${failed} failed`,
);
