/** More guards of records taken out, each to be found by random sequences. */
import { describeRecordControls, MORE_RECORD_CONTROLS } from '../property/records/describe-record-controls.ts';

describeRecordControls(MORE_RECORD_CONTROLS);
