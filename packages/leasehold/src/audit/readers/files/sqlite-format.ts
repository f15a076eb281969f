import { type FileFormat, READ } from './file-format.ts';

export const SQLITE_SAID = {
  onlyAsFile: 'A SQLite database, which can be read only as a file of its own: unpack it.',
} as const;

const MAGIC = 'SQLite format 3\0';

/** A database of n8n. It is opened in its place, as whoever it belongs to may be at work in it. */
export const SQLITE_FORMAT: FileFormat = {
  name: 'sqlite',
  recognises: ({ head }) => head.bytes.toString('latin1', 0, MAGIC.length) === MAGIC,
  read: async ({ path, diskPath }, sink, options) => {
    if (diskPath === null) sink.unread(path, SQLITE_SAID.onlyAsFile);
    else await options.readDatabase(diskPath, sink);
    return READ;
  },
};
