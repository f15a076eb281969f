import { checkFamily } from './corpus.ts';
import { HISTORIES } from './histories.ts';

checkFamily('histories', HISTORIES);
