import { CRONTAB_FORMAT } from '../crontab/crontab-format.ts';
import { CSV_FORMAT } from '../csv/csv-format.ts';
import { JSON_FORMAT } from '../json/json-format.ts';
import { REPORT_FORMAT } from '../json/report-format.ts';
import { ZIP_FORMAT } from '../zip/zip-format.ts';
import { ARCHIVE_FORMAT } from './archive-format.ts';
import { SQLITE_FORMAT } from './sqlite-format.ts';
import type { FileFormat } from './file-format.ts';

/** In the order in which they are asked: what is told by its first bytes comes first, a table last. */
export const FILE_FORMATS: readonly FileFormat[] = [
  SQLITE_FORMAT,
  ZIP_FORMAT,
  ARCHIVE_FORMAT,
  REPORT_FORMAT,
  JSON_FORMAT,
  CRONTAB_FORMAT,
  CSV_FORMAT,
];
