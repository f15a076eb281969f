/**
 * The demo's job, as a user would have it: a script that knows nothing of locks. It is written into
 * the demo's folder and run there as a process of its own. It reads its new rows first and marks each
 * one after its mail, which is what makes a second run beside it send the same mails again.
 */
export const JOB_FILE = 'job.mjs';

export const JOB_SOURCE = `// Mails every customer that is still new, one after the other.
import { env, pid } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const table = new DatabaseSync(env.DEMO_TABLE, { timeout: 5000 });
const customers = table.prepare("select id from customers where status = 'new' order by id").all();
console.log('began ' + pid);
for (const { id } of customers) {
  await sleep(Number(env.DEMO_MAIL_MS));
  await fetch(env.DEMO_TARGET + '/mails/' + id, { method: 'POST' });
  table.prepare("update customers set status = 'mailed' where id = ?").run(id);
  console.log('mailed ' + id);
}
table.close();
`;

/** Lays out the table anew, all customers new. */
export const NEW_ROWS_FILE = 'new-rows.mjs';

export const NEW_ROWS_SOURCE = `import { env } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const table = new DatabaseSync(env.DEMO_TABLE, { timeout: 5000 });
table.exec('create table if not exists customers (id integer primary key, status text not null) strict');
table.exec('delete from customers');
for (let id = 1; id <= Number(env.DEMO_CUSTOMERS); id++) {
  table.prepare("insert into customers (id, status) values (?, 'new')").run(id);
}
table.close();
`;
