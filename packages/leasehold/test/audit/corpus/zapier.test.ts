import { checkFamily } from './corpus.ts';
import { ZAPIER } from './zapier.ts';

checkFamily('Zapier', ZAPIER);
