import type { Fact } from '../stage/fact.ts';
import { aloneFacts } from './alone.ts';
import { askFirstFacts } from './ask-first.ts';
import { askingFacts } from './asking.ts';
import { beginFacts } from './begin.ts';
import { claimNextFacts } from './claim-next.ts';
import { claimRepeatFacts } from './claim-repeats.ts';
import { claimFacts } from './claims.ts';
import { decidedEvidenceFacts } from './decided-evidence.ts';
import { enqueueFacts } from './enqueue.ts';
import { extendFacts, returnFacts } from './extend-return.ts';
import { handChangedFacts } from './hand-changed.ts';
import { lateAnswerFacts } from './late-answers.ts';
import { lateVerdictFacts } from './late-verdicts.ts';
import { lookUpFacts } from './look-ups.ts';
import { oddRecordFacts } from './odd-records.ts';
import { poolFacts } from './pools.ts';
import { recordAlertFacts } from './record-alerts.ts';
import { recordListFacts } from './record-lists.ts';
import { recordRaceFacts } from './record-races.ts';
import { reviewFacts } from './reviews.ts';
import { secondVerdictFacts } from './second-verdicts.ts';
import { settlingFacts } from './settling.ts';
import { sharedClaimFacts } from './shared-claims.ts';
import { recordStoryFacts } from './stories.ts';
import { toldOnceFacts } from './told-once.ts';
import { verdictFacts } from './verdicts.ts';
import { versionOrderFacts } from './version-order.ts';
import { versionFacts } from './versions.ts';
import { windowFacts } from './windows.ts';
import { workFacts } from './work.ts';

/** What is true of every store's pools and records. */
export const RECORD_TOPICS: Readonly<Record<string, readonly Fact[]>> = {
  'records made known': enqueueFacts,
  claims: claimFacts,
  'claims asked again': claimRepeatFacts,
  'claims that processes share': sharedClaimFacts,
  'claims of the next records': claimNextFacts,
  begins: beginFacts,
  'begins and verdicts in one call': workFacts,
  verdicts: verdictFacts,
  'second verdicts': secondVerdictFacts,
  'late verdicts': lateVerdictFacts,
  'late verdicts said again': toldOnceFacts,
  'evidence that a person decides about': decidedEvidenceFacts,
  'expired claims': settlingFacts,
  'records that go alone': aloneFacts,
  'records to ask for first': askFirstFacts,
  'versions of a record': versionFacts,
  'the order of versions': versionOrderFacts,
  'extended claims': extendFacts,
  'records given back': returnFacts,
  'records to ask for': askingFacts,
  'answers of a provider': lookUpFacts,
  'answers of a provider that come late': lateAnswerFacts,
  'windows of a provider': windowFacts,
  'decisions of a person': reviewFacts,
  'settings of a pool': poolFacts,
  'lists of records': recordListFacts,
  'alerts of records': recordAlertFacts,
  'stories of records': recordStoryFacts,
  'records in races': recordRaceFacts,
  'odd rows of records': oddRecordFacts,
  'records that were changed by hand': handChangedFacts,
};
