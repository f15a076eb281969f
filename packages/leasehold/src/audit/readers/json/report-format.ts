import type { FileFormat } from '../files/file-format.ts';
import { JSON_SAID } from './json-said.ts';

/** `leasehold audit --json > audit.json` in the folder that is audited: what it lists as excluded is no history. */
export const REPORT_FORMAT: FileFormat = {
  name: 'report',
  recognises: ({ head }) =>
    /^\s*\{\s*"workflows"\s*:\s*\[\s*(?:\{\s*"id"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"source"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"history"\s*:\s*\{|\]\s*,\s*"unread")/.test(
      head.text,
    ),
  read: () => Promise.resolve({ kind: 'unrelated', why: JSON_SAID.ownReport }),
};
