/**
 * Which file systems a store may not live on. Pure: decides by what statfs(2) and `mountinfo` say.
 *
 * SQLite needs two things of a file system: locks that every process sees, and (in WAL mode) one
 * shared piece of memory for all of them. Where a file can be reached from another machine, or from
 * the other side of a virtual machine, at least the second is missing: both sides believe that they
 * hold the lock, and nobody is told (cases C48, C49). So these are refused; many machines are what
 * the PostgreSQL store is for.
 *
 * Local but odd file systems (tmpfs, overlay, btrfs, ZFS, ecryptfs) keep both and are accepted.
 */

/** `f_type` of statfs(2), from linux/magic.h and the sources of the file systems themselves. */
const SHARED_BY_MAGIC: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  // Folders shared between a virtual machine and its host: each side locks for itself. 9P is also how
  // WSL shows the drives of Windows.
  [0x01021997, '9P'],
  [0x786f4256, 'VirtualBox shared folder'],
  [0xbacbacbc, 'VMware shared folder'],
  [0x7c7c6673, 'Parallels shared folder'],
  [0x00c0ffee, 'hostfs'],
]);

const FUSE_MAGIC = 0x65735546;

/**
 * FUSE says nothing of what is behind it: sshfs and S3 look like an NTFS disk. Its type in
 * `mountinfo` does; these are local. All others (`fuse.sshfs`, `virtiofs`, unknown) are refused.
 */
const LOCAL_FUSE: ReadonlySet<string> = new Set([
  'fuseblk',
  'fuse.bindfs',
  'fuse.cryfs',
  'fuse.encfs',
  'fuse.fuse-overlayfs',
  'fuse.gocryptfs',
  'fuse.lxcfs',
  'fuse.mergerfs',
  'fuse.ntfs-3g',
  'fuse.unionfs',
  'fuse.zfs-fuse',
]);

/**
 * The name of a file system that can't hold a store, or null for one that can. `magic` is statfs's
 * type (sign-extended or not); `mountType` the type that `mountinfo` states, null if unknown.
 */
export function sharedFileSystem(magic: number, mountType: string | null): string | null {
  const type = magic >>> 0;
  if (type !== FUSE_MAGIC) return SHARED_BY_MAGIC.get(type) ?? null;
  if (mountType !== null && LOCAL_FUSE.has(mountType)) return null;
  return mountType ?? 'FUSE';
}

export interface Mount {
  readonly place: string;
  readonly type: string;
}

/** The mount that an absolute path lies on, by a text like `/proc/self/mountinfo` (proc(5)); null if none does. */
export function mountOf(path: string, mountinfo: string): Mount | null {
  let found: Mount | null = null;
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const place = unescapeOctal(before.split(' ')[4] ?? '');
    const type = after.split(' ')[0] ?? '';
    const isAbove = place === '/' || path === place || path.startsWith(`${place}/`);
    // Of two mounts at one place the later line is the one on top.
    if (place !== '' && isAbove && (found === null || place.length >= found.place.length)) found = { place, type };
  }
  return found;
}

/** `mountinfo` writes blanks, tabs, newlines and backslashes as octal escapes. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
