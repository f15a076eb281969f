import { checkFamily } from './corpus.ts';
import { MESSENGERS } from './messengers.ts';

checkFamily('mail and messengers', MESSENGERS);
