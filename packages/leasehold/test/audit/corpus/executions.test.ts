import { checkFamily } from './corpus.ts';
import { EXECUTIONS } from './executions.ts';

checkFamily('executions and logs', EXECUTIONS);
