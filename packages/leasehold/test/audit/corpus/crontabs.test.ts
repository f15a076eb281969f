import { checkFamily } from './corpus.ts';
import { CRONTABS } from './crontabs.ts';

checkFamily('crontabs', CRONTABS);
