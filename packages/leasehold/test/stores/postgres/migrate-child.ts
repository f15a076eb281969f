/** One of many processes that migrate at the same time: `migrate-child.ts URL`. */
import { openStore } from './database.ts';

const [url = ''] = process.argv.slice(2);
const store = await openStore(url, false);
await store.migrate();
await store.close();
