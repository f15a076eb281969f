import { checkFamily } from './corpus.ts';
import { TABLES } from './tables.ts';

checkFamily('sheets, tables and CRM', TABLES);
