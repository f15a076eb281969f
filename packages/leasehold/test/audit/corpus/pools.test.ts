import { checkFamily } from './corpus.ts';
import { POOLS } from './pools.ts';

checkFamily('workflows beside one another', POOLS);
