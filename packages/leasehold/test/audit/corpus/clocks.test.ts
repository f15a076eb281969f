import { checkFamily } from './corpus.ts';
import { CLOCKS } from './clocks.ts';

checkFamily('clocks, zones and several starts', CLOCKS);
