import { type Finding, ok, problem, unknown, warning } from './doctor.ts';
import type { PostgresFacts } from './store-facts.ts';

/** What a crash of the server may take: a commit that was answered and is not on its disk. */
export function judgeDurability({ settings }: PostgresFacts): Finding {
  const check = 'durability';
  if (settings.fsync === 'off') {
    return problem(
      check,
      "fsync is off: a crash of the server's host may destroy the store. Switch it on and restart the server.",
    );
  }
  if (settings.full_page_writes === 'off') {
    return problem(
      check,
      "full_page_writes is off: a crash of the server's host may leave half-written pages. Switch it on, unless the file system writes pages whole.",
    );
  }
  const commit = settings.synchronous_commit ?? null;
  if (commit === null) return unknown(check, 'synchronous_commit was not told.');
  if (commit === 'off') {
    return warning(
      check,
      'synchronous_commit is off: a crash may lose the last acquisition, and another run would start beside it. Set it on for this role and database.',
    );
  }
  return ok(check, `Commits are on the server's disk before they are answered (synchronous_commit ${commit}).`);
}

/** What a failover may take: a commit that no standby has. */
export function judgeReplication({ settings, standbys }: PostgresFacts): Finding {
  const check = 'replication';
  const names = settings.synchronous_standby_names ?? null;
  const commit = settings.synchronous_commit ?? '';
  if (names === null) return unknown(check, 'synchronous_standby_names was not told.');
  if (names === '') return withoutSynchronousStandby(standbys.count);
  if (commit === 'off' || commit === 'local') {
    return warning(
      check,
      `synchronous_commit is ${commit} for this role, so no standby is waited for: a failover may lose the last acquisition. Set it on.`,
    );
  }
  if (standbys.synchronousCount === 0 && standbys.hiddenCount === 0) {
    return warning(
      check,
      'Synchronous standbys are named and none is connected, so every commit waits: bring one back, or calls end in exit 69.',
    );
  }
  if (commit === 'remote_write') {
    return ok(check, 'Synchronous (remote_write): a failover keeps each acquisition unless both hosts crash at once.');
  }
  return ok(check, 'Synchronous: a failover keeps each acquisition that was answered.');
}

function withoutSynchronousStandby(count: number): Finding {
  if (count === 0) {
    return ok(
      'replication',
      'No standby is connected. (Copies that a provider makes below the server can not be seen.)',
    );
  }
  const standbys = count === 1 ? 'One standby or subscriber is' : `${count} standbys or subscribers are`;
  return warning(
    'replication',
    `${standbys} connected and none is synchronous: a failover may lose the last acquisition, and another run would start beside it. Name one in synchronous_standby_names, or fail over by hand when nothing runs.`,
  );
}
