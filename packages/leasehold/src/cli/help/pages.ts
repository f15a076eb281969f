import { ALERT_PAGES } from './alert-pages.ts';
import { AUDIT_PAGE } from './audit-page.ts';
import { LOOK_PAGES } from './look-pages.ts';
import { MEND_PAGES } from './mend-pages.ts';
import type { HelpPage } from './page.ts';
import { POOL_PAGES } from './pool-pages.ts';
import { PROTOCOL_PAGES } from './protocol-pages.ts';
import { RECORD_PAGES } from './record-pages.ts';
import { RUN_PAGE } from './run-page.ts';
import { SQL_PAGES } from './sql-pages.ts';

/** The manual pages by their commands' paths: `run`, and `alert test` for a command of a command. */
export const PAGES: ReadonlyMap<string, HelpPage> = new Map(
  Object.entries({
    run: RUN_PAGE,
    ...PROTOCOL_PAGES,
    ...RECORD_PAGES,
    ...POOL_PAGES,
    ...LOOK_PAGES,
    ...MEND_PAGES,
    ...ALERT_PAGES,
    ...SQL_PAGES,
    audit: AUDIT_PAGE,
  }),
);
