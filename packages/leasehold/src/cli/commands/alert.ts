import type { Command } from 'commander';
import type { LeaseholdEvent } from '../../domain/answers.ts';
import { sendWithin } from '../../engine/deliver.ts';
import { LeaseholdError } from '../../errors.ts';
import type { Channel, SendAnswer } from '../../ports/channel.ts';
import { alertChannels } from '../alerts/config.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, OutputLost } from '../failure.ts';
import { withGlobalOptions } from '../options.ts';

/** Longer than a delivery gives a channel: whoever tries one out waits for it. */
const SEND_MS = 10_000;

/** `alert test CHANNEL`: sends a test alert through one channel, past store and filter, and says what came back. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('alert')
    .description('see that alerts arrive: alert test CHANNEL')
    .helpCommand(false)
    .command('test')
    .description('send a test alert through a channel and say what came back')
    .argument('<channel>', 'the name that the configuration gives it');
  withGlobalOptions(command).action(async (name: string, options: GlobalOptions) => {
    const channel = await openChannel(context, options, name);
    const answer = await send(context, channel);
    await tell(context, channel.name, answer, options.json ?? false);
    context.finish(answer.confirmed ? EXIT.done : EXIT.undelivered);
  });
}

async function openChannel(context: CommandContext, options: GlobalOptions, name: string): Promise<Channel> {
  const specs = alertChannels(options, context.host);
  const [channel] = await context.openChannels(specs.filter((spec) => spec.name === name));
  if (channel !== undefined) return channel;
  const known = specs.map((spec) => spec.name).join(', ');
  const remedy =
    known === ''
      ? 'write {"alerts": {"channels": {"NAME": {"type": "webhook", "url": "https://…"}}}} into a configuration file'
      : `there are: ${known}`;
  throw new LeaseholdError('STORE_UNUSABLE', `no channel "${oneLine(name)}" is configured; ${remedy}`);
}

async function tell(
  { host }: CommandContext,
  channel: string,
  { confirmed, said }: SendAnswer,
  isJson: boolean,
): Promise<void> {
  if (!confirmed && !isJson) {
    await host.writeError(`leasehold: the test alert did not arrive at channel "${channel}": ${oneLine(said)}\n`);
    return;
  }
  const text = isJson
    ? JSON.stringify({ channel, confirmed, said })
    : `The test alert arrived at channel "${channel}": ${oneLine(said)}.`;
  const errorCode = await host.writeOut(`${text}\n`);
  if (errorCode !== null && errorCode !== 'EPIPE') throw new OutputLost(errorCode);
}

async function send({ host, clock, ids }: CommandContext, channel: Channel): Promise<SendAnswer> {
  const message = `This is a test alert from ${host.hostName}: channel "${channel.name}" works, and nothing is to be done.`;
  const event: LeaseholdEvent = {
    eventId: 0,
    at: new Date(clock.read().wallMs),
    kind: 'alert.test',
    severity: 'warning',
    lock: null,
    pool: null,
    recordId: null,
    runId: null,
    holder: `${host.hostName}:${host.pid}`,
    message,
    data: null,
  };
  const alertId = ids.newId();
  const sent = { ...event, alertId, dedupKey: `alert.test ${alertId}`, store: 'none', text: message, attempt: 1 };
  return await sendWithin(channel, sent, clock, SEND_MS);
}
