/** Guards of the outbox and of the channels taken out, each seen missing by the test that stands for it. */
import { describeMutants } from '../mutation.ts';

const WEBHOOK = 'src/alerts/webhook/channel.ts';
const WEBHOOK_TEST = 'test/alerts/webhook.test.ts';
const DELIVER = 'src/engine/deliver.ts';
const DELIVER_TEST = 'test/engine/deliver.test.ts';

describeMutants('alerts', [
  {
    broken: 'the alert is stored after the transaction of its cause',
    file: 'src/stores/sqlite/events.ts',
    replace: '  session.run(sql.insert_alert, {',
    by: '  queueMicrotask(() => session.run(sql.insert_alert, { ...alertOf() }));\n  const alertOf = () => ({',
    testFile: 'test/stores/sqlite/alerts.test.ts',
    fails: 'where the cause is rolled back there is no alert, and where the alert can’t be stored there is no cause',
  },
  {
    broken: 'any answer is a confirmation',
    file: WEBHOOK,
    replace: 'status >= 200 && status <= 299',
    by: 'status >= 200',
    testFile: WEBHOOK_TEST,
    fails: 'has arrived by a 2xx and by nothing else',
  },
  {
    broken: 'the signature does not cover the timestamp',
    file: 'src/alerts/webhook/signature.ts',
    replace: '`${timestamp}.${body}`',
    by: 'body',
    testFile: WEBHOOK_TEST,
    fails: 'is signed: HMAC-SHA256 of timestamp, dot and body, by the secret',
  },
  {
    broken: 'an error is quoted with its URL',
    file: WEBHOOK,
    replace: '`${url.host}: ${codeOf(error)}`',
    by: '`${url.href}: ${codeOf(error)}`',
    testFile: WEBHOOK_TEST,
    fails: 'says of a failure the host and a word, never the path, a secret or what the receiver said',
  },
  {
    broken: 'a log is opened as it comes',
    file: 'src/alerts/log/channel.ts',
    replace: ' | (constants.O_NONBLOCK ?? 0)',
    by: '',
    testFile: 'test/alerts/log.test.ts',
    fails: 'to a FIFO that nobody reads fails at once and holds nothing up',
  },
  {
    broken: 'a channel may take as long as it likes',
    file: DELIVER,
    replace: '    clock.schedule(50, () => timeOut.resolve({ confirmed: false, said, retryAfterMs: null }));\n',
    by: '    void said;\n',
    testFile: DELIVER_TEST,
    fails: 'a channel that never answers fails after its time, and keeps no other alert back',
  },
  {
    broken: 'channels that have confirmed are asked again',
    file: DELIVER,
    replace: '!alert.deliveredTo.includes(channel.name)',
    by: 'channel.name !== ""',
    testFile: DELIVER_TEST,
    fails: 'only the channel that failed is tried again, with the same id',
  },
]);
