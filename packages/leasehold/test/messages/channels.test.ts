/** What is said of channels and of an alert on its way, word for word. */
import { describe } from 'node:test';
import { failureText } from '../../src/cli/alerts/delivery.ts';
import { parseChannels } from '../../src/domain/channel-spec.ts';
import { openLeasehold } from '../../src/index.ts';
import type { Channel } from '../../src/ports/channel.ts';
import { assertSaid, type Said } from './said.ts';

const HOOK = { type: 'webhook', url: 'https://hooks.example/x' };
const ops = (patch: object) => () => parseChannels({ ops: { ...HOOK, ...patch } });
const OWN: Channel = {
  name: 'ops',
  filter: { minSeverity: 'warning', kinds: null },
  send: async () => ({ confirmed: true, said: 'here' }),
};

const SPECS: readonly Said[] = [
  [() => parseChannels([]), 'the channels must be an object: {"NAME": {"type": "webhook", …}}'],
  [
    () => parseChannels(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`c${index}`, HOOK]))),
    'there are 21 channels; at most 20',
  ],
  [
    () => parseChannels({ 'o p s': HOOK }),
    'channel "o p s": a name has 1 to 64 letters, digits, dots, dashes and underscores',
  ],
  [() => parseChannels({ ops: 5 }), 'channel "ops" must be an object'],
  [ops({ type: 'mail' }), 'channel "ops" needs a "type": "webhook" or "log"'],
  [
    ops({ knids: [] }),
    'channel "ops" has an unknown key "knids"; a webhook knows type, url, secret, minSeverity, kinds',
  ],
  [ops({ minSeverity: 'info' }), 'channel "ops": "minSeverity" is "warning" or "critical"'],
  [ops({ kinds: [] }), 'channel "ops": "kinds" is a list of kinds of events that is not empty; leave it out for all'],
  [ops({ kinds: ['run.skiped'] }), 'channel "ops": "run.skiped" is no kind of event'],
  [ops({ url: 'hooks.example' }), 'channel "ops" needs a "url" that begins with https:// or http://'],
  [ops({ secret: '' }), 'channel "ops" needs a "secret" that is text and not empty; leave it out for none'],
  [
    () => parseChannels({ book: { type: 'log', file: 'alerts.log' } }),
    'channel "book" needs a "file" with an absolute path; leave it out for stderr',
  ],
  [
    () => openLeasehold('sqlite::memory:', { channels: [OWN, OWN] }),
    'two channels are called "ops"; give each a name of its own',
  ],
];

const REPORT = { delivered: 0, unwanted: 0, failed: 0, dead: 0, failures: { ops: 'hooks.example answered 500' } };
const DELIVERIES: readonly Said[] = [
  [
    () => failureText({ ...REPORT, failed: 1 }),
    '1 alert could not be delivered yet, and will be tried again (ops: hooks.example answered 500)',
  ],
  [
    () => failureText({ ...REPORT, failed: 1, dead: 2 }),
    '1 alert could not be delivered yet, and will be tried again; 2 alerts could not be delivered for 24h and will not be tried again (ops: hooks.example answered 500)',
  ],
];

describe('of channels', () => assertSaid(SPECS));
describe('of alerts that did not arrive', () => assertSaid(DELIVERIES));
