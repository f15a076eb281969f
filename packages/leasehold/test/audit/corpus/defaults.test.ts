import { checkFamily } from './corpus.ts';
import { DEFAULTS } from './defaults.ts';

checkFamily('nodes of n8n with everything left out', DEFAULTS);
