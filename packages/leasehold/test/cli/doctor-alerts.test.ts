/** What `doctor` says of alerts and of the channels, with a real store and a real receiver: and that it delivers nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/domain/doctor.ts';
import { answers, Receiver } from '../alerts/receiver.ts';
import { createDatabase, POSTGRES_VERSIONS } from '../postgres.ts';
import { type AlertBench, openAlertBench } from './alert-bench.ts';

interface Examined {
  readonly code: number | null;
  readonly stdout: string;
  readonly of: (check: string) => readonly (readonly [result: string, message: string])[];
}

async function doctor(bench: AlertBench, env: Record<string, string> = {}): Promise<Examined> {
  const { code, stdout, stderr } = await bench.run(['doctor', '--json'], { env });
  assert.equal(stderr, '');
  const findings = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
  const of: Examined['of'] = (check) =>
    findings.filter((finding) => finding.check === check).map(({ result, message }) => [result, message]);
  return { code, stdout, of };
}

const HOUR_MS = 3_600_000;
const MENDED = '. Nothing can start here until it is mended.';

describe('doctor and alerts', () => {
  it('without a channel it says that nobody is told, and warns once an alert waits', async () => {
    await using bench = openAlertBench();
    await bench.run(['run', 'job', '--', 'true']);
    const quiet = await doctor(bench);
    assert.deepEqual(quiet.of('alerts'), [
      ['ok', 'No channel is configured: what happens is recorded (leasehold events) and nobody is told.'],
    ]);
    await bench.run(['pause', 'job']);
    const waiting = await doctor(bench);
    assert.equal(waiting.code, 0);
    assert.deepEqual(waiting.of('alerts'), [
      [
        'warning',
        '1 alert is waiting, and no channel is configured here to deliver it by: write "alerts" into a configuration file.',
      ],
    ]);
  });

  it('with a channel it says by which alerts go, delivers none itself, and warns of one that does not get away', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    await bench.run(['pause', 'job']);
    bench.configure({ ops: { type: 'webhook', url: receiver.url }, book: { type: 'log' } });
    assert.deepEqual((await doctor(bench)).of('alerts'), [['ok', '1 alert is on the way to ops, book.']]);
    bench.change(`update events set at = at - ${HOUR_MS}`);
    const late = await doctor(bench);
    assert.equal(late.code, 0);
    const [[result, message] = []] = late.of('alerts');
    assert.equal(result, 'warning');
    assert.match(
      String(message),
      /^1 alert is waiting, the oldest for 1h( \d+s)?\. Each call of the command line delivers for at most 2 s and nothing else does: keep leasehold work running\.$/,
    );
    assert.equal(receiver.received.length, 0);
    await bench.run(['work', '--once']);
    assert.deepEqual((await doctor(bench)).of('alerts'), [['ok', 'None is waiting; they go to ops, book.']]);
  });

  it('an alert whose delivery fails is a warning with what the channel said, and the command that tries it', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    receiver.answer = answers(500);
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    await bench.run(['pause', 'job']);
    const { code, of } = await doctor(bench);
    assert.equal(code, 0);
    const [[result, message] = []] = of('alerts');
    assert.equal(result, 'warning');
    assert.match(
      String(message),
      /^1 alert is waiting after an attempt that failed \(ops: .*answered 500\)\. See: leasehold alert test ops$/,
    );
    assert.ok(!String(message).includes(receiver.url));
    assert.equal((await bench.run(['alert', 'test', 'ops'])).code, 69);
  });

  it('an alert that was given up is a warning, and the command that it names shows why', async () => {
    await using bench = openAlertBench();
    await using receiver = await Receiver.open();
    receiver.answer = answers(500);
    bench.configure({ ops: { type: 'webhook', url: receiver.url } });
    await bench.run(['pause', 'job']);
    bench.change(
      `update events set at = at - ${25 * HOUR_MS}; update alerts set next_attempt_at = 0, taken_until = null`,
    );
    await bench.run(['work', '--once']);
    const { code, stdout, of } = await doctor(bench);
    assert.equal(code, 0);
    assert.deepEqual(of('alerts'), [
      ['warning', '1 alert is given up, so nobody was told. See: leasehold events --kind alert.dead'],
    ]);
    assert.doesNotMatch(stdout, /hunter2/);
    const shown = await bench.run(['events', '--kind', 'alert.dead']);
    assert.match(shown.stdout, /answered 500/);
  });

  it('a mistake in the channels is a problem, exit 78, with no secret in it, and says what waits', async () => {
    await using bench = openAlertBench();
    await bench.run(['pause', 'job']);
    const ops = { type: 'webhook', url: 'env:HOOK_URL', secret: 'hunter2' };
    bench.write({ alerts: { channels: { ops } } });
    const { code, stdout, of } = await doctor(bench, { HOOK_URL: 'https://hooks.example/hunter2' });
    assert.equal(code, 78);
    const path = `${bench.folder}/leasehold.json`;
    assert.deepEqual(of('alerts'), [
      [
        'problem',
        `configuration ${path}: channel "ops" has a secret in the file; write env:NAME in its place${MENDED}`,
      ],
      ['warning', '1 alert is waiting, and nothing is delivered from here until that is mended.'],
    ]);
    assert.deepEqual(of('store')[0]?.[0], 'ok', 'what needs no channel is looked at all the same');
    assert.doesNotMatch(stdout, /hunter2/);
  });

  it('also where no store is there yet, since the first start would be refused; and of probes alike', async () => {
    await using bench = openAlertBench();
    const path = `${bench.folder}/leasehold.json`;
    bench.write({ alerts: { channels: { ops: { type: 'log', secret: 'env:NO' } } }, probes: { n8m: {} } });
    const { code, of } = await doctor(bench);
    assert.equal(code, 78);
    assert.deepEqual([of('store')[0]?.[0], of('alerts').length, of('alerts')[0]?.[0]], ['warning', 1, 'problem']);
    assert.deepEqual(of('probes'), [
      ['problem', `configuration ${path} has an unknown probe "n8m"; known: n8n, http${MENDED}`],
    ]);
    assert.equal((await bench.run(['run', 'job', '--', 'true'])).code, 78);
  });

  it('a file that was asked for and is not there is one problem, also where the store comes from elsewhere', async () => {
    await using bench = openAlertBench();
    const missing = `${bench.folder}/none.json`;
    const { code, of } = await doctor(bench, { LEASEHOLD_CONFIG: missing });
    assert.equal(code, 78);
    const problems = of('config').filter(([result]) => result === 'problem');
    assert.deepEqual(problems, [['problem', `configuration ${missing} is not there${MENDED}`]]);
    assert.deepEqual([of('alerts'), of('probes')], [[], []]);
  });

  it('on PostgreSQL it reads the same outbox, and needs the schema to do so', async () => {
    await using database = await createDatabase(POSTGRES_VERSIONS.at(-1) ?? 18);
    await using bench = openAlertBench(database.url);
    assert.deepEqual((await doctor(bench)).of('alerts'), [
      ['unknown', 'What is waiting to be delivered is not known.'],
    ]);
    await bench.run(['migrate']);
    await bench.run(['pause', 'job']);
    const { stdout, of } = await doctor(bench);
    assert.match(String(of('alerts')[0]?.[1]), /^1 alert is waiting, and no channel is configured here/);
    assert.doesNotMatch(stdout, new RegExp(new URL(database.url).password));
  });
});
