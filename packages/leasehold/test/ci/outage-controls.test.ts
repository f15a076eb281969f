import { describeMutants } from '../mutation.ts';

describeMutants('outages and failover of PostgreSQL', [
  {
    broken: 'a connection to a server that turned read-only is kept',
    file: 'src/stores/postgres/errors.ts',
    replace: '/^(08|25006|57P|58)/',
    by: '/^(08|57P|58)/',
    testFile: 'test/stores/postgres/reconnect.test.ts',
    fails: 'that turned read-only are given up: the next call finds the primary that is there by then (C39)',
  },
  {
    broken: 'a farewell to an idle connection is an answer',
    file: 'src/stores/postgres/errors.ts',
    replace: "'57P03', '57P05', 'ECONNRESET'",
    by: "'57P03', 'ECONNRESET'",
    testFile: 'test/stores/postgres/reconnect.test.ts',
    fails: 'a call that crosses with the server’s farewell to an idle connection is made again on another one',
  },
  {
    broken: 'an end that is too far away is left as it is',
    file: 'src/stores/postgres/migrations/0001-lock/04-row-locks.sql',
    replace: 'state.lease_until > latest then',
    by: 'state.lease_until > latest and false then',
    testFile: 'test/stores/postgres/failover.test.ts',
    fails: 'freezes no lock of a dead holder: it ends a lease from now, is reclaimed no earlier, and that is told once',
  },
  {
    broken: 'a fenced write does not look at the end of the lease',
    file: 'src/stores/postgres/migrations/0001-lock/10-holder.sql',
    replace: 'state.drain_until is null and state.lease_until > now_at then',
    by: 'state.drain_until is null then',
    testFile: 'test/stores/postgres/failover.test.ts',
    fails: 'ends each lease at once: its holder is told lost, its fenced writes are refused, its status is kept',
  },
]);
