import { checkFamily } from './corpus.ts';
import { HTTP } from './http.ts';

checkFamily('HTTP and GraphQL', HTTP);
