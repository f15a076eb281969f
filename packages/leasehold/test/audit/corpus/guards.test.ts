import { checkFamily } from './corpus.ts';
import { GUARDS } from './guards.ts';

checkFamily('guards, switches and retries', GUARDS);
