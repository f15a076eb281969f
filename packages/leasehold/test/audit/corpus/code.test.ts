import { checkFamily } from './corpus.ts';
import { CODE } from './code.ts';

checkFamily('code and unknown nodes', CODE);
