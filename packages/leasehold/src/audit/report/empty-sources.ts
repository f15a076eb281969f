/** Of what a report lists as unread: what was read, and has nothing in it. */
import type { AuditReport } from '../model/report.ts';
import { JSON_SAID } from '../readers/json/json-said.ts';
import { TABLE_SAID } from '../readers/table/table-said.ts';

type Unread = AuditReport['unread'];

const EMPTY: ReadonlySet<string> = new Set([JSON_SAID.emptyHistory, TABLE_SAID.noRows]);
const isEmpty = ({ reason }: Unread[number]): boolean => EMPTY.has(reason);

export function withoutEmpty({ unread }: AuditReport): Unread {
  return unread.filter((each) => !isEmpty(each));
}

export function emptySources({ unread }: AuditReport): Unread {
  return unread.filter(isEmpty);
}
