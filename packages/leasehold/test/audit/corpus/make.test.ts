import { checkFamily } from './corpus.ts';
import { MAKE } from './make.ts';

checkFamily('Make', MAKE);
