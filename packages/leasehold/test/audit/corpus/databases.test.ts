import { checkFamily } from './corpus.ts';
import { DATABASES } from './databases.ts';

checkFamily('databases', DATABASES);
