/** All families, in one list. */
import { CLOCKS } from './clocks.ts';
import { CODE } from './code.ts';
import type { Sample } from './corpus.ts';
import { CRONTABS } from './crontabs.ts';
import { DATABASES } from './databases.ts';
import { DEFAULTS } from './defaults.ts';
import { EXECUTIONS } from './executions.ts';
import { FLOWS } from './flows.ts';
import { GUARDS } from './guards.ts';
import { HISTORIES } from './histories.ts';
import { HTTP } from './http.ts';
import { MAKE } from './make.ts';
import { MESSENGERS } from './messengers.ts';
import { POOLS } from './pools.ts';
import { SETTINGS } from './settings.ts';
import { TABLES } from './tables.ts';
import { TRIGGERS } from './triggers.ts';
import { ZAPIER } from './zapier.ts';

export const ALL: readonly Sample[] = [
  ...TRIGGERS,
  ...CLOCKS,
  ...DEFAULTS,
  ...DATABASES,
  ...TABLES,
  ...HTTP,
  ...MESSENGERS,
  ...FLOWS,
  ...GUARDS,
  ...SETTINGS,
  ...POOLS,
  ...CODE,
  ...MAKE,
  ...ZAPIER,
  ...CRONTABS,
  ...HISTORIES,
  ...EXECUTIONS,
];
