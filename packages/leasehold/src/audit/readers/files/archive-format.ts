import { type FileFormat, READ } from './file-format.ts';

export const ARCHIVE_SAID = {
  archive: (kind: string): string => `An archive (${kind}), which is not opened: unpack it, and name the folder.`,
  packed: (kind: string): string =>
    `Packed with ${kind}, which is not unpacked here: unpack it, and name what comes out.`,
} as const;

/** What the first bytes say. A `.tar.gz` comes here as a tar, since gzip was unpacked before. */
const MARKS: readonly (readonly [bytes: string, kind: string, isArchive: boolean])[] = [
  ['7z\xbc\xaf\x27\x1c', '7z', true],
  ['Rar!\x1a\x07', 'rar', true],
  ['070701', 'cpio', true],
  ['070702', 'cpio', true],
  ['070707', 'cpio', true],
  ['!<arch>\n', 'ar', true],
  ['MSCF\0\0\0\0', 'cab', true],
  ['\xfd7zXZ\0', 'xz', false],
  ['BZh', 'bzip2', false],
  ['\x28\xb5\x2f\xfd', 'zstd', false],
  ['\x04\x22\x4d\x18', 'lz4', false],
  ['\x1f\x9d', 'compress', false],
  ['LZIP', 'lzip', false],
];

const TAR_BLOCK = 512;
/** Where a header of a tar has its own sum, in octal, and how long that is. */
const SUM = { at: 148, length: 8 } as const;

/**
 * Archives that nothing here opens: read as a table, their headers would become columns and their padding runs. Each is
 * told by itself, in a folder too, since a history may well be in it.
 */
export const ARCHIVE_FORMAT: FileFormat = {
  name: 'archive',
  recognises: ({ head }) => sentenceOf(head.bytes) !== null,
  read: async ({ path, head }, sink) => {
    sink.unread(path, sentenceOf(head.bytes) ?? '');
    return READ;
  },
};

function sentenceOf(bytes: Buffer): string | null {
  const text = bytes.toString('latin1', 0, 16);
  const mark = MARKS.find(([start]) => text.startsWith(start));
  // A table may begin with the letters: what follows them in bzip2 is a digit, and then those of pi.
  const isMark = mark !== undefined && (mark[1] !== 'bzip2' || text.startsWith('1AY&SY', 4));
  if (isMark) return mark[2] ? ARCHIVE_SAID.archive(mark[1]) : ARCHIVE_SAID.packed(mark[1]);
  return isTar(bytes) ? ARCHIVE_SAID.archive('tar') : null;
}

/** By the sum in its first header, which tars of every age have; of 512 bytes of anything else it is not the sum. */
function isTar(bytes: Buffer): boolean {
  if (bytes.length < TAR_BLOCK) return false;
  const end = SUM.at + SUM.length;
  const written = bytes.toString('latin1', SUM.at, end).replaceAll('\0', ' ').trim();
  if (!/^[0-7]+$/.test(written)) return false;
  let sum = SUM.length * 0x20;
  for (let at = 0; at < TAR_BLOCK; at += 1) if (at < SUM.at || at >= end) sum += bytes[at] ?? 0;
  return sum === Number.parseInt(written, 8);
}
