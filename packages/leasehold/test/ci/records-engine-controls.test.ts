/** Guards of the library's claims, each taken out of a copy. */
import { describeMutants } from '../mutation.ts';

const FOLDER = 'test/engine/records';
const LINE = `${FOLDER}/work-line.test.ts`;
const WORK = `${FOLDER}/work.test.ts`;
const CLAIM = `${FOLDER}/claim.test.ts`;
const MANY = `${FOLDER}/claim-many.test.ts`;
const LEASE = `${FOLDER}/claim-lease.test.ts`;

describeMutants('begins', [
  {
    broken: 'a begin that the store accepted too late is accepted',
    file: 'src/engine/records/claimed-record.ts',
    replace: "if (this.#loss !== null && answer?.outcome !== 'refused') return",
    by: "if (this.#isSettled && answer?.outcome !== 'refused') return",
    testFile: WORK,
    fails: 'that is accepted after the signal has fired is refused all the same',
  },
  {
    broken: 'a begin waits for a call that hangs',
    file: 'src/engine/records/claimed-record.ts',
    replace: 'for (const giveUp of this.#waiting) giveUp();',
    by: '',
    testFile: WORK,
    fails: 'whose store hangs ends with the signal, not with the call',
  },
  {
    broken: 'a begin is asked for longer than its caller waits',
    file: 'src/engine/records/work-waiting.ts',
    replace: 'return Math.min(terms.timeoutMs, leftMs);',
    by: 'return leftMs > 0 ? terms.timeoutMs : leftMs;',
    testFile: WORK,
    fails: 'by token whose store hangs ends when its patience does',
  },
  {
    broken: 'a refused begin leaves the signal alone',
    file: 'src/engine/records/claimed-record.ts',
    replace: "if (answer.outcome === 'refused') this.#lose(",
    by: "if (answer.outcome === 'refused' && this.#isSettled) this.#lose(",
    testFile: WORK,
    fails: 'of a record that another claim has is refused, and fires its signal, not those of its neighbours',
  },
  {
    broken: 'the time that an answer took is forgotten',
    file: 'src/engine/records/work-waiting.ts',
    replace: 'answer.remainingMs > tookMs',
    by: 'answer.remainingMs > 0 * tookMs',
    testFile: LINE,
    fails: 'is refused where it took longer than the lease had left',
  },
  {
    broken: 'what must stop is sent',
    file: 'src/engine/records/work-line.ts',
    replace: 'if (refusal !== null) item.resolve(',
    by: "if (refusal === '') item.resolve(",
    testFile: LINE,
    fails: 'a begin that must stop is not sent again, and refused',
  },
]);

describeMutants('the line', [
  {
    broken: 'an answer is given before the commit',
    file: 'src/engine/records/work-line.ts',
    replace: '    const answered = this.#answered;\n    try {',
    by: '    const answered = this.#answered;\n    for (const item of batch) item.resolve({} as never);\n    try {',
    testFile: LINE,
    fails: 'is answered after its commit and not before',
  },
  {
    broken: 'a verdict is tried once',
    file: 'src/engine/records/work-line.ts',
    replace: 'elapsedMs(item.from, now) < item.terms.retryForMs || (isStoreThere && company > 1)',
    by: 'elapsedMs(item.from, now) < 0 * company',
    testFile: LINE,
    fails: 'verdicts are tried again, in their order and with what was given since, until they are stored',
  },
  {
    broken: 'a verdict is tried for ever',
    file: 'src/engine/records/work-line.ts',
    replace: 'elapsedMs(item.from, now) < item.terms.retryForMs || (isStoreThere && company > 1)',
    by: 'elapsedMs(item.from, now) >= 0 * company',
    testFile: LINE,
    fails: 'a verdict is given up at its bound, and its caller and the log are told',
  },
  {
    broken: 'two of one record travel together',
    file: 'src/engine/records/work-line.ts',
    replace: ' || passed.has(key) || this.#underWay.has(key)',
    by: '',
    testFile: LINE,
    fails: 'travels one after the other where it is of one record',
  },
  {
    broken: 'every item is a call',
    file: 'src/engine/records/work-line.ts',
    replace: 'if (leftMs <= 0)',
    by: 'if (leftMs <= HANGS_AFTER_MS)',
    testFile: LINE,
    fails: 'joins the next call while one is under way',
  },
  {
    broken: 'what waits is sent beside every call, however little it is',
    file: 'src/engine/records/work-room.ts',
    replace: 'waiting < SHARE_MIN',
    by: 'waiting < 0 * SHARE_MIN',
    testFile: `${FOLDER}/work-room.test.ts`,
    fails: 'waits for the call under way where it is little, and goes beside it where it is much',
  },
  {
    broken: 'calls go out without waiting for what is said in the same turn',
    file: 'src/engine/records/work-line.ts',
    replace: 'step < STEPS_TO_GATHER',
    by: 'step < 0 * STEPS_TO_GATHER',
    testFile: LINE,
    fails: 'is one call: the verdict of one record and the begin of the next share it',
  },
  {
    broken: 'one bad item fails all',
    file: 'src/engine/records/work-line.ts',
    replace: 'if (isOfAll || batch.length === 1)',
    by: 'if (isOfAll || batch.length >= 1)',
    testFile: LINE,
    fails: 'fails alone',
  },
]);

describeMutants('claims', [
  {
    broken: 'a record that is offered twice is sent twice',
    file: 'src/engine/records/offer-reader.ts',
    replace: 'if (keys.has(key) || this.#seen?.has(key) === true) continue;',
    by: '',
    testFile: CLAIM,
    fails: 'takes a record that is offered twice once, also as number and text',
  },
  {
    broken: 'one bad record fails the claim',
    file: 'src/engine/records/offers.ts',
    replace: "const isChecked = isLeaseholdError(error, 'INVALID_ARGUMENT');",
    by: "const isChecked = isLeaseholdError(error, 'INVALID_ARGUMENT');\n    if (isChecked) throw error;",
    testFile: CLAIM,
    fails: 'with what is wrong with one record claims the nine others, and says what is wrong',
  },
  {
    broken: 'a lost answer is asked for as another claim',
    file: 'src/engine/records/ask-claim.ts',
    replace: 'store.claim({ ...request,',
    by: 'store.claim({ ...request, claimId: parts.ids.newId(),',
    testFile: CLAIM,
    fails: 'is asked for again by the same claim, which gets the records that the first ask took',
  },
  {
    broken: 'the lock of a start is not named',
    file: 'src/engine/records/claim-arguments.ts',
    replace: 'lock === undefined ? null : tokenOfStart(lock)',
    by: 'lock === undefined || tokenOfStart(lock) !== null ? null : null',
    testFile: CLAIM,
    fails: 'is named by its start or its token, and a run that lost it claims nothing',
  },
  {
    broken: 'each chunk is a claim that takes nothing more',
    file: 'src/engine/records/open-claim.ts',
    replace: 'const isContinued = this.#last !== null;',
    by: 'const isContinued = this.#last === undefined;',
    testFile: MANY,
    fails: 'is cut where its payloads come to 4 MiB',
  },
  {
    broken: 'a claim that is full reads on',
    file: 'src/engine/records/open-claim.ts',
    replace: ' && !(isFull && reader.isAsync)',
    by: ' && !(isFull && looked > 5_000)',
    testFile: MANY,
    fails: 'from an async source is read no further once the claim is full, and the source is told',
  },
]);

describeMutants('the lease of a claim', [
  {
    broken: 'trust counts from the answer',
    file: 'src/engine/records/open-claim.ts',
    replace: 'trustWindow(anchor, leaseMs, remainingMs)',
    by: 'trustWindow({ ...anchor, ...this.#parts.clock.read() }, leaseMs, remainingMs)',
    testFile: LEASE,
    fails: 'trust counts from before the request was sent',
  },
  {
    broken: 'a claim that is over is renewed',
    file: 'src/engine/records/held-claim.ts',
    replace: 'if (this.#openCount === 0) this.#kept.end();',
    by: '',
    testFile: LEASE,
    fails: 'nothing is renewed, no timer is left, and the signal never fires',
  },
  {
    broken: 'a claim whose last verdict is on its way counts as lost',
    file: 'src/engine/records/held-claim.ts',
    replace: "if (answer.reason === 'settled') {",
    by: "if (answer.reason === 'expired') {",
    testFile: LEASE,
    fails: 'a renewal that meets the last verdict on its way is no loss',
  },
  {
    broken: 'leaving a claim drops its verdicts',
    file: 'src/engine/records/held-claim.ts',
    replace: 'while (this.#onItsWay.size > 0) await Promise.allSettled(this.#onItsWay);',
    by: '',
    testFile: LEASE,
    fails: 'waits for verdicts that nobody waited for',
  },
  {
    broken: 'closing drops verdicts',
    file: 'src/engine/leasehold.ts',
    replace: 'if (!(await this.#lines.settle(SETTLE_MS_MAX))) this.#lines.close();',
    by: 'this.#lines.close();',
    testFile: LEASE,
    fails: 'waits for verdicts on their way',
  },
  {
    broken: 'a claim that is asked for again late counts as new',
    file: 'src/engine/records/open-claim.ts',
    replace: 'if (!isNamed || request.leaseMs !== null) return;',
    by: 'if (isNamed || request.leaseMs !== null) return;',
    testFile: CLAIM,
    fails: 'and that was found late is renewed for as long as it was, before it is handed out',
  },
]);

const SWEEP = `${FOLDER}/sweep.test.ts`;

describeMutants('sweeps', [
  {
    broken: 'a look-up that fails counts as not found',
    file: 'src/engine/records/verify.ts',
    replace: "return unknown(errorText(error) ?? 'the look-up failed');",
    by: "return errorText(error) === '' ? unknown('') : { kind: 'absent' };",
    testFile: SWEEP,
    fails: 'whose look-up throws goes to review, since that is no answer',
  },
  {
    broken: 'a pool that sends to review is asked for',
    file: 'src/engine/records/sweep-arguments.ts',
    replace: 'if (status !== undefined && status.verifier === null) {',
    by: "if (status !== undefined && status.verifier === '') {",
    testFile: SWEEP,
    fails: 'of a pool that does not say that it can be asked is refused: its records would be in review',
  },
  {
    broken: 'a sender counts as ended unless it is proven alive',
    file: 'src/engine/records/verify.ts',
    replace: "if (verdict.state !== 'ended') return null;",
    by: "if (verdict.state === 'alive') return null;",
    testFile: SWEEP,
    fails: 'that the provider does not have goes to review while the sender may be alive',
  },
  {
    broken: 'look-ups are not counted',
    file: 'src/engine/records/sweep.ts',
    replace: 'Math.min(concurrency, taken.length)',
    by: 'Math.max(concurrency, taken.length)',
    testFile: SWEEP,
    fails: 'asks about so many at a time, and about all',
  },
]);
