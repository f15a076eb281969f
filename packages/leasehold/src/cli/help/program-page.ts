import { type Entry, example, type Example } from './page.ts';

/** Every exit code there is (exit-codes.ts), in few words. */
export const EVERY_EXIT: readonly Entry[] = [
  ['0', "done; run: the command's own code"],
  ['1', 'audit: something was found. demo: something that it promises did not hold'],
  ['64', 'the command line is wrong; no store was touched'],
  ['69', 'the store can not be reached; nothing was started. alert test: it did not arrive'],
  ['70', 'a fault of Leasehold itself'],
  ['74', 'the answer could not be written to stdout'],
  ['75', 'skipped: nothing was started'],
  ['76', 'this slot has run already: nothing was started'],
  ['77', 'the lease is lost, or another holds the lock or the record'],
  ['78', 'the store or its configuration was refused; doctor: something is a problem; audit: nothing could be read'],
  ['126, 127', "run: the command can't be executed, or was not found"],
  ['128 + n', 'ended by signal number n'],
];

export const PROGRAM_EXAMPLES: readonly Example[] = [
  example(
    'In a crontab: never beside itself; a skip is no failure',
    '*/5 * * * *  leasehold run sync -- ./sync.sh || [ $? -eq 75 ]',
  ),
  example('The next 20 records that nobody else works', 'leasehold claim orders --limit 20 --json'),
  example('What runs twice already, from crontabs and histories', 'leasehold audit /etc/crontab ./exports'),
  example('Who holds what', 'leasehold status'),
  example('Why a run did or did not start', 'leasehold why sync --at 2026-11-30T09:00:00Z'),
  example('What is wrong on this host, if anything', 'leasehold doctor'),
];
