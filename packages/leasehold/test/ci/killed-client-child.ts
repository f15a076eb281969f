/** A program that takes a lock, begins a transaction of its own on the same pooler and hangs: `killed-client-child.ts URL`. */
import pg from 'pg';
import { openStore, start } from '../stores/postgres/database.ts';

const [url = ''] = process.argv.slice(2);
const store = await openStore(url);
await store.acquire(start('killed'));
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query("begin; select * from leasehold.status('killed')");
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
