import type { Command } from 'commander';
import type { LeaseholdEvent } from '../../domain/answers.ts';
import { sendWithin } from '../../engine/deliver.ts';
import { LeaseholdError } from '../../errors.ts';
import type { Channel, SendAnswer } from '../../ports/channel.ts';
import { alertChannels } from '../alerts/config.ts';
import type { CommandContext, GlobalOptions } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../failure.ts';
import { parseChoice, withGlobalOptions } from '../options.ts';

/** Longer than a delivery gives a channel: whoever tries one out waits for it. */
const SEND_MS = 10_000;

/** `alert test CHANNEL`: sends a test alert through one channel, past store and filter, and says what came back. */
export function register(program: Command, context: CommandContext): void {
  const command = program
    .command('alert')
    .description('alert test CHANNEL: send a test alert through a channel and say what came back')
    .argument('<action>', 'test', parseChoice('action', ['test']))
    .argument('<channel>', 'the name that the configuration gives it');
  withGlobalOptions(command).action(async (_action: string, name: string, options: GlobalOptions) => {
    const { host } = context;
    const specs = alertChannels(options, host).filter((spec) => spec.name === name);
    const [channel] = await context.openChannels(specs);
    if (channel === undefined) {
      throw new LeaseholdError(
        'STORE_UNUSABLE',
        `no channel "${oneLine(name)}" is configured; write {"alerts": {"channels": {"NAME": {"type": "webhook", "url": "https://…"}}}} into a configuration file`,
      );
    }
    const answer = await send(context, channel);
    if (options.json === true)
      await host.writeOut(`${JSON.stringify({ channel: channel.name, ...fieldsOf(answer) })}\n`);
    else if (answer.confirmed)
      await host.writeOut(`The test alert arrived at channel "${channel.name}": ${oneLine(answer.said)}.\n`);
    else
      await host.writeError(
        `leasehold: the test alert did not arrive at channel "${channel.name}": ${oneLine(answer.said)}\n`,
      );
    context.finish(answer.confirmed ? EXIT.done : EXIT.undelivered);
  });
}

function fieldsOf({ confirmed, said }: SendAnswer): object {
  return { confirmed, said };
}

async function send({ host, clock, ids }: CommandContext, channel: Channel): Promise<SendAnswer> {
  const message = `This is a test alert from ${host.hostName}: channel "${channel.name}" works, and nothing is to be done.`;
  const event: LeaseholdEvent = {
    eventId: 0,
    at: new Date(clock.read().wallMs),
    kind: 'alert.test',
    severity: 'warning',
    lock: null,
    runId: null,
    holder: `${host.hostName}:${host.pid}`,
    message,
    data: null,
  };
  const alertId = ids.newId();
  const sent = { ...event, alertId, dedupKey: `alert.test ${alertId}`, store: 'none', text: message, attempt: 1 };
  return await sendWithin(channel, sent, clock, SEND_MS);
}
