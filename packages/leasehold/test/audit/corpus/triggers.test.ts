import { checkFamily } from './corpus.ts';
import { TRIGGERS } from './triggers.ts';

checkFamily('what starts a workflow of n8n', TRIGGERS);
