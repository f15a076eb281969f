/** The random sequences' own proof for records: each guard taken out is found. More in test/ci. */
import { describeRecordControls, RECORD_CONTROLS } from './describe-record-controls.ts';

describeRecordControls(RECORD_CONTROLS);
