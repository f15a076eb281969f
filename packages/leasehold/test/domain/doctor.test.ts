/** What `doctor` says of host, places, schema, SQLite files and alerts, each judgement once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding, FindingResult } from '../../src/domain/doctor.ts';
import { judgeAlerts } from '../../src/domain/doctor-alerts.ts';
import { judgeHost } from '../../src/domain/doctor-host.ts';
import { judgePlaces } from '../../src/domain/doctor-places.ts';
import { judgeSchema } from '../../src/domain/doctor-schema.ts';
import { judgeSqlite } from '../../src/domain/doctor-sqlite.ts';
import type { SqliteFacts, StoreFileFacts } from '../../src/domain/store-facts.ts';
import { HEALTHY_SQLITE, LINUX as linux, NOW, ONE_PLACE, place, STORE_FILE } from './doctor-samples.ts';

/** Exactly one finding of this check, of this result, and with these words. */
function assertFinding(findings: readonly Finding[], check: string, result: FindingResult, says: RegExp): void {
  const found = findings.filter((finding) => finding.check === check);
  assert.deepEqual(
    found.map((finding) => finding.result),
    [result],
    JSON.stringify(found),
  );
  assert.match(found[0]?.message ?? '', says);
}

describe('host', () => {
  it('a supported Node.js on Linux is ok', () => {
    assertFinding(judgeHost(linux), 'node', 'ok', /^Node\.js 24\.21\.0\.$/);
    assertFinding(judgeHost(linux), 'platform', 'ok', /can be proven/);
  });
  it('an old Node.js is a problem', () => {
    assertFinding(judgeHost({ ...linux, nodeVersion: '22.9.0' }), 'node', 'problem', /needs Node\.js 24\.15.*22\.9\.0/);
  });
  it('a system that names no boot and no start of a process is a warning', () => {
    const mac = { ...linux, system: 'darwin', bootId: null, startTicks: null };
    assertFinding(
      judgeHost(mac),
      'platform',
      'warning',
      /^darwin tells no id of its boot and no start time.*only its lease decides/,
    );
  });
});

describe('places', () => {
  it('one store that all pick is ok, and its place is named', () => {
    assertFinding(judgePlaces(ONE_PLACE), 'config', 'ok', /^The store is named by the default\.$/);
    assertFinding(judgePlaces(ONE_PLACE), 'stores', 'ok', /has the same one/);
  });
  it('another store than a job without the variable would use is a warning, and what is passed by is named', () => {
    const variable = place({ place: 'LEASEHOLD_STORE', store: 'sqlite:/other.db', isAmbient: false });
    const found = judgePlaces({ ...ONE_PLACE, places: [variable, place({})] });
    assertFinding(found, 'config', 'ok', /by LEASEHOLD_STORE; passed by: the default \(sqlite:\/var\/own\.db\)/);
    assertFinding(found, 'stores', 'warning', /^Two stores on this host: LEASEHOLD_STORE names sqlite:\/other\.db/);
  });
  it('a default store that was never made is no second one', () => {
    const variable = place({ place: 'LEASEHOLD_STORE', store: 'sqlite:/other.db', isAmbient: false });
    assertFinding(
      judgePlaces({ ...ONE_PLACE, places: [variable, place({ exists: false })] }),
      'stores',
      'ok',
      /has the same one/,
    );
  });
  it("another user's store is a warning, unless it is the same one", () => {
    const other = { ...ONE_PLACE, others: [{ user: 'admin', store: 'sqlite:/var/admin.db' }] };
    assertFinding(judgePlaces(other), 'stores', 'warning', /user admin has sqlite:\/var\/admin\.db/);
    const same = { ...ONE_PLACE, others: [{ user: 'admin', store: 'sqlite:/var/own.db' }] };
    assertFinding(judgePlaces(same), 'stores', 'ok', /has the same one/);
  });
  it('a user into whose directories one may not look leaves it unknown', () => {
    const hidden = { ...ONE_PLACE, hiddenUsers: ['admin', 'b', 'c', 'd', 'e'] };
    assertFinding(judgePlaces(hidden), 'stores', 'unknown', /may not look for that of admin, b, c and 2 more/);
  });
  it('a configuration that makes no sense is a warning, also where it is passed by', () => {
    const broken = place({ place: '/etc/x.json', store: null, fault: 'configuration /etc/x.json is not JSON' });
    const found = judgePlaces({ ...ONE_PLACE, places: [place({}), broken] }).filter(({ check }) => check === 'config');
    assert.deepEqual(
      found.map(({ result }) => result),
      ['ok', 'warning'],
    );
    assert.match(found[1]?.message ?? '', /is not JSON\. Whoever comes to it is refused/);
  });
  it('one that makes no sense is a problem where it decides: what comes behind it is not used', () => {
    const broken = place({ place: '/etc/x.json', store: null, fault: 'configuration /etc/x.json is not JSON' });
    const found = judgePlaces({ ...ONE_PLACE, places: [broken, place({})] });
    assertFinding(found, 'config', 'problem', /is not JSON\. Nothing can start here/);
    assertFinding(judgePlaces({ ...ONE_PLACE, places: [] }), 'config', 'problem', /no home directory/);
  });
  it('a configuration that others may write is a warning, and so is one of another user', () => {
    const file = { path: '/etc/leasehold.json', mode: 0o100664, ownerId: 0 };
    const writable = judgePlaces({ ...ONE_PLACE, files: [file] }).at(1);
    assert.match(writable?.message ?? '', /mode 0664: others may name another store in it\. chmod go-w/);
    const strange = judgePlaces({ ...ONE_PLACE, files: [{ ...file, mode: 0o100644, ownerId: 1_001 }] }).at(1);
    assert.match(strange?.message ?? '', /belongs to user 1001, neither root nor this one/);
    const fine = judgePlaces({ ...ONE_PLACE, files: [{ ...file, mode: 0o100644 }] });
    assert.ok(fine.every(({ result }) => result === 'ok'));
  });
});

describe('schema', () => {
  const judged = (installed: number | null, needs: number | null): FindingResult =>
    judgeSchema({ installed, needs, known: 3 }, 'do this').result;

  it('is ok where it is the newest, or newer and still usable', () => {
    assert.deepEqual([judged(3, 3), judged(4, 3)], ['ok', 'ok']);
  });
  it('is a problem where it is missing, older, or needs newer code', () => {
    assert.deepEqual([judged(0, 0), judged(2, 2), judged(5, 4)], ['problem', 'problem', 'problem']);
  });
  it('is unknown where it may not be asked for', () => {
    assert.equal(judged(null, null), 'unknown');
  });
});

describe('SQLite', () => {
  const MIB = 1_048_576;
  const judge = (patch: Partial<SqliteFacts>, userId: number | null = 1_000): Finding[] =>
    judgeSqlite({ ...HEALTHY_SQLITE, ...patch }, userId);
  const ofFile = (patch: Partial<StoreFileFacts>): Partial<SqliteFacts> => ({ file: { ...STORE_FILE, ...patch } });

  it('a file as Leasehold makes it is ok throughout', () => {
    assert.ok(judge({}).every(({ result }) => result === 'ok'));
    assertFinding(judge({}), 'file', 'ok', /^\/var\/s\.db, 2 MiB on ext4, SQLite 3\.53\.4\.$/);
  });
  it('one that every user may read or write is a warning', () => {
    assertFinding(judge(ofFile({ mode: 0o100644 })), 'permissions', 'warning', /0644: every user may read it/);
    assertFinding(judge(ofFile({ mode: 0o100666 })), 'permissions', 'warning', /0666: every user may write it/);
  });
  it('one that a group shares is ok and said', () => {
    assertFinding(judge(ofFile({ mode: 0o100660 })), 'permissions', 'ok', /its group shares it/);
  });
  it("another user's file is a warning, but for root; without file modes it is unknown", () => {
    assertFinding(judge({}, 1_001), 'permissions', 'warning', /belongs to user 1000 and this is user 1001/);
    assertFinding(judge({}, 0), 'permissions', 'ok', /its owner's alone/);
    assertFinding(judge({}, null), 'permissions', 'unknown', /no file modes/);
  });
  it('a folder that every user may write is a warning, but for a sticky one', () => {
    assertFinding(
      judge(ofFile({ folder: '/var/my jobs', folderMode: 0o40777 })),
      'folder',
      'warning',
      /mode 0777: every user may move the store away .* chmod o-w '\/var\/my jobs'$/,
    );
    for (const folderMode of [0o41777, 0o40775, 0o40755]) {
      assert.ok(judge(ofFile({ folderMode })).every(({ check }) => check !== 'folder'));
    }
    assert.ok(judge(ofFile({ folderMode: 0o40777 }), null).every(({ check }) => check !== 'folder'));
  });
  it('little room on the disk is a warning', () => {
    assertFinding(judge(ofFile({ freeBytes: 20 * MIB })), 'disk', 'warning', /Only 20 MiB free/);
  });
  it('anything but WAL and FULL is a problem', () => {
    assertFinding(judge({ synchronous: 1 }), 'durability', 'problem', /synchronous 1: a power cut may lose/);
    assertFinding(judge({ journalMode: 'delete' }), 'durability', 'problem', /journal_mode delete/);
  });
  it('a fault in the file is a problem; a file too large to be read as a whole is unknown', () => {
    assertFinding(judge({ integrity: 'row 1 missing' }), 'integrity', 'problem', /row 1 missing/);
    assertFinding(judge({ integrity: null }), 'integrity', 'unknown', /pragma quick_check/);
  });
  it('memory is a warning: it guards nothing', () => {
    assertFinding(judge({ file: null }), 'file', 'warning', /guards nothing: name a file/);
  });
});

describe('alerts', () => {
  const judge = (
    outbox: { pending?: number; dead?: number; oldestMs?: number; failing?: number; lastError?: string } | null,
    channels: readonly string[] | null,
  ): Finding => {
    const [finding, ...rest] = judgeAll(outbox, channels);
    assert.ok(finding !== undefined && rest.length === 0);
    return finding;
  };
  const judgeAll = (outbox: Parameters<typeof judge>[0], channels: readonly string[] | null): Finding[] => {
    if (outbox === null) return judgeAlerts(null, channels, NOW);
    const { pending = 0, dead = 0, oldestMs, failing = 0, lastError = null } = outbox;
    const oldestPendingAt = oldestMs === undefined ? null : new Date(NOW - oldestMs);
    return judgeAlerts({ pending, dead, oldestPendingAt, failing, lastError }, channels, NOW);
  };

  it('are unknown where the store does not tell', () => {
    assert.equal(judge(null, ['ops']).result, 'unknown');
    assert.equal(judge(null, ['ops']).message, 'What is waiting to be delivered is not known.');
  });
  it('that were given up are a warning', () => {
    const { result, message } = judge({ dead: 2, pending: 1 }, ['ops']);
    assert.equal(result, 'warning');
    assert.match(message, /^2 alerts are given up/);
  });
  it('that an attempt failed to deliver are a warning with what was said, and the command that tries the channel', () => {
    const failing = { pending: 3, failing: 2, oldestMs: 10, lastError: 'log: no space; my ops: answered 500' };
    const { result, message } = judge(failing, ['my ops', 'book']);
    assert.equal(result, 'warning');
    assert.equal(
      message,
      "2 alerts are waiting after an attempt that failed (log: no space; my ops: answered 500). See: leasehold alert test 'my ops'",
    );
    for (const channels of [[], null, ['ops']]) assert.match(judge(failing, channels).message, / alert test NAME$/);
    assert.deepEqual(
      judgeAll({ ...failing, dead: 1 }, ['log']).map((each) => each.message.slice(0, 20)),
      ['1 alert is given up,', '2 alerts are waiting'],
    );
  });
  it('that wait where no channel is configured are a warning', () => {
    assert.match(judge({ pending: 1, oldestMs: 10 }, []).message, /^1 alert is waiting, and no channel is configured/);
  });
  it('that wait where the channels make no sense are a warning: nothing delivers them', () => {
    const { result, message } = judge({ pending: 2, oldestMs: 10 }, null);
    assert.equal(result, 'warning');
    assert.equal(message, '2 alerts are waiting, and nothing is delivered from here until that is mended.');
  });
  it('that have waited for over 5 minutes are a warning: nothing but calls of the command line delivers them', () => {
    const { result, message } = judge({ pending: 3, oldestMs: 600_000 }, ['ops']);
    assert.equal(result, 'warning');
    assert.match(message, /the oldest for 10m.*nothing else does: keep leasehold work running/);
    assert.equal(judge({ pending: 3, oldestMs: 60_000 }, ['ops']).result, 'ok');
  });
  it('are ok where none waits, also without a channel, which is said', () => {
    assert.match(judge({}, []).message, /nobody is told/);
    assert.equal(judge({}, null).message, 'None is waiting.');
    assert.equal(judge({}, ['ops', 'book']).message, 'None is waiting; they go to ops, book.');
    assert.deepEqual([judge({}, []).result, judge({}, ['ops']).result, judge({}, null).result], ['ok', 'ok', 'ok']);
  });
});
