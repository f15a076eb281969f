import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mountOf, sharedFileSystem } from '../../../src/stores/sqlite/file-system.ts';
import { openStore, startOf, temporaryFolder } from './stage.ts';

/** The file under an open store, and the file systems that it may lie on. */

test('a file that is deleted under an open store is no second truth: the holder is told that it lost', async (t) => {
  const path = join(temporaryFolder(t), 'store.db');
  const holder = await openStore(t, path);
  const lease = await holder.acquire(startOf('job'));
  assert.ok(lease.outcome === 'acquired');
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file);
  const other = await openStore(t, path);
  assert.equal((await other.acquire(startOf('job'))).outcome, 'acquired');
  const { token } = lease;
  const answer = await holder.renew({ lock: 'job', token, leaseMs: null, progress: null, holderInfo: null });
  assert.ok(answer.outcome === 'lost' && answer.reason === 'unknown_token', answer.message);
  assert.equal(await holder.isHolder('job', token), false);
  assert.equal((await holder.acquire(startOf('job'))).outcome, 'skipped');
});

test('a file that another one took the place of is opened anew', async (t) => {
  const folder = temporaryFolder(t);
  const [path, restored] = [join(folder, 'store.db'), join(folder, 'restored.db')];
  const store = await openStore(t, path);
  await store.acquire(startOf('forgotten'));
  const backup = await openStore(t, restored);
  await backup.acquire(startOf('remembered'));
  await backup.close();
  renameSync(restored, path);
  for (const rest of [`${path}-wal`, `${path}-shm`]) rmSync(rest);
  assert.deepEqual(
    (await store.status({ lock: null, limit: 10 })).map((status) => status.lock),
    ['remembered'],
  );
});

test('network and shared file systems are refused by their magic number (C49)', () => {
  const refused: [string, number][] = [
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['CIFS', 0xff534d42],
    ['SMB2', 0xfe534d42],
    ['9P', 0x01021997],
    ['Ceph', 0x00c36400],
    ['Lustre', 0x0bd00bd0],
    ['VirtualBox shared folder', 0x786f4256],
    ['VMware shared folder', 0xbacbacbc],
    ['Parallels shared folder', 0x7c7c6673],
  ];
  for (const [name, magic] of refused) {
    assert.equal(sharedFileSystem(magic, null), name);
    assert.equal(sharedFileSystem(magic | 0, null), name, 'as a signed number');
  }
});

test('local file systems are accepted by their magic number', () => {
  const accepted: [string, number][] = [
    ['ext4', 0xef53],
    ['XFS', 0x58465342],
    ['btrfs', 0x9123683e],
    ['ZFS', 0x2fc12fc1],
    ['tmpfs', 0x01021994],
    ['overlay', 0x794c7630],
    ['F2FS', 0xf2f52010],
    ['ecryptfs', 0xf15f],
    ['unknown to macOS and Windows', 0x1a],
    ['not told', 0],
  ];
  for (const [name, magic] of accepted) assert.equal(sharedFileSystem(magic, null), null, name);
});

test('FUSE is refused unless what is behind it is known to be local', () => {
  const fuse = 0x65735546;
  for (const type of ['fuse.sshfs', 'fuse.s3fs', 'fuse.rclone', 'fuse.glusterfs', 'virtiofs', 'fuse.unknown']) {
    assert.equal(sharedFileSystem(fuse, type), type);
  }
  assert.equal(sharedFileSystem(fuse, null), 'FUSE');
  for (const type of ['fuseblk', 'fuse.gocryptfs', 'fuse.mergerfs']) assert.equal(sharedFileSystem(fuse, type), null);
  assert.equal(sharedFileSystem(0xef53, 'fuse.sshfs'), null, 'the magic number decides first');
});

test('the mount that a path lies on is the longest above it, and of two at one place the later', () => {
  const mountinfo = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '30 22 0:40 / /home/me rw - fuse.sshfs me@host: rw',
    '31 22 0:41 / /data\\040disk rw,nosuid shared:7 master:2 - xfs /dev/vdb rw',
    '32 22 0:42 / /home/me rw - nfs4 server:/home rw',
    '33 22 254:0 /x.db /srv/x.db rw - ext4 /dev/vda rw',
    '',
  ].join('\n');
  assert.deepEqual(mountOf('/var/lib/store.db', mountinfo), { place: '/', type: 'ext4' });
  assert.deepEqual(mountOf('/home/me/store.db', mountinfo), { place: '/home/me', type: 'nfs4' });
  assert.deepEqual(mountOf('/home/meg/store.db', mountinfo), { place: '/', type: 'ext4' });
  assert.deepEqual(mountOf('/data disk/store.db', mountinfo), { place: '/data disk', type: 'xfs' });
  assert.deepEqual(mountOf('/srv/x.db', mountinfo), { place: '/srv/x.db', type: 'ext4' });
  assert.equal(mountOf('/x', ''), null);
});
