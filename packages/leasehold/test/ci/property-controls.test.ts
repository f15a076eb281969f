/** The random sequences' own proof: each guard taken out is found, by the model and by the guarantees. More in test/ci. */
import { describeControls } from '../property/describe-controls.ts';
import { EVIDENCE_CONTROLS, SQLITE_CONTROLS } from '../property/mutations.ts';

describeControls([...SQLITE_CONTROLS, ...EVIDENCE_CONTROLS]);
