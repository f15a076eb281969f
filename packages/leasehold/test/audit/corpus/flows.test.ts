import { checkFamily } from './corpus.ts';
import { FLOWS } from './flows.ts';

checkFamily('ways through workflows', FLOWS);
