import { checkFamily } from './corpus.ts';
import { SETTINGS } from './settings.ts';

checkFamily('settings and retries', SETTINGS);
