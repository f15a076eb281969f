/** A bench of the command line with a configuration file that names channels, and a state folder of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Bench, type Ended, openBench, type Running } from './command-line.ts';

export interface AlertBench extends Bench {
  /** Commands of this bench know these channels from now on. */
  configure(channels: object): void;
  /** Writes the whole section, right or wrong. */
  write(content: unknown): void;
  /** Changes the store's file as a person would. */
  change(sql: string): void;
  rows(sql: string): Record<string, unknown>[];
}

export function openAlertBench(store?: string): AlertBench {
  const bench = openBench(store);
  const config = join(bench.folder, 'leasehold.json');
  const own = { LEASEHOLD_CONFIG: config, XDG_STATE_HOME: join(bench.folder, 'state') };
  const write = (content: unknown): void => writeFileSync(config, JSON.stringify(content));
  const file = join(bench.folder, 'leasehold.db');
  write({});
  const start: Bench['start'] = (args, options = {}): Running =>
    bench.start(args, { ...options, env: { ...own, ...options.env } });
  return {
    ...bench,
    start,
    run: (args, options): Promise<Ended> => start(args, options).ended,
    configure: (channels) => write({ alerts: { channels } }),
    write,
    change(sql) {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    },
    rows(sql) {
      const database = new DatabaseSync(file, { readOnly: true });
      const rows = database.prepare(sql).all();
      database.close();
      return rows;
    },
  };
}
