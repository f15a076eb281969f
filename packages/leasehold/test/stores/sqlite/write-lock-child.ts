/** A process of its own that keeps the write lock of a file. Arguments: path, how long in ms. Says `held`. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

const [path = '', ms = '0'] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 5_000 });
database.exec('begin immediate');
process.stdout.write('held\n');
await setTimeout(Number(ms));
database.exec('commit');
database.close();
