/** HTTP and GraphQL: a method tells little, an address more. */
import { type Drawn, HOURLY } from '../n8n/build.ts';
import { http, MAIL } from '../n8n/parts.ts';
import { n8n, type Sample } from './corpus.ts';
import { marked, node, unmarked } from './parts.ts';

const GET = http('GET', 'https://shop.test/api/orders?state=new');
const PATCH = http('PATCH', '=https://shop.test/api/orders/{{ $json.id }}');
const SEARCH = http('POST', 'https://crm.test/v3/deals/search');
/** A plain GET may be of the weather: where nothing marks it, that is a hint and no more. */
const HINTS = { finds: ['window.no-status-write info', 'guard.missing info'] };

/** `Clock > Thing`, after which nobody knows of records. */
const ALONE: readonly (readonly [name: string, node: Drawn, finds: readonly string[]])[] = [
  ['post-adds', http('POST', 'https://shop.test/api/things'), ['guard.missing info']],
  [
    'post-without-a-method-of-old-versions',
    { type: 'httpRequest', typeVersion: 2, parameters: { requestMethod: 'POST', url: 'https://shop.test/api' } },
    ['guard.missing info'],
  ],
  ['put-leaves-things-as-they-are', http('PUT', 'https://shop.test/api/things/7'), []],
  ['patch-leaves-things-as-they-are', http('PATCH', 'https://shop.test/api/things/7'), []],
  ['delete-leaves-things-as-they-are', http('DELETE', 'https://shop.test/api/things/7'), []],
  ['head-reads', http('HEAD', 'https://shop.test/api/things'), []],
  ['options-reads', http('OPTIONS', 'https://shop.test/api/things'), []],
  [
    'get-by-default',
    { type: 'httpRequest', typeVersion: 4.2, parameters: { url: 'https://shop.test/api/things' } },
    [],
  ],
  ['a-computed-method', http('={{ $json.method }}', 'https://shop.test/api'), ['guard.missing info']],
  ['a-computed-address', http('POST', '={{ $json.url }}'), ['guard.missing info']],
  ['a-model-costs', http('POST', 'https://api.openai.com/v1/chat/completions'), []],
  ['another-model-costs', http('POST', 'https://api.anthropic.com/v1/messages'), []],
  ['a-local-model-costs', http('POST', 'http://localhost:11434/api/generate'), []],
  ['a-token-is-fetched', http('POST', 'https://auth.test/oauth2/token'), []],
  ['a-message-to-a-channel', http('POST', 'https://hooks.slack.com/services/T0/B0/XYZ'), ['guard.missing info']],
  [
    'a-message-to-a-person',
    http('POST', 'https://api.twilio.com/2010-04-01/Accounts/1/Messages.json'),
    ['guard.missing info'],
  ],
  ['a-call', http('POST', 'https://api.vapi.ai/call/phone'), ['guard.missing info']],
  [
    'an-idempotency-key',
    http('POST', 'https://pay.test/charges', {
      headerParameters: { parameters: [{ name: 'Idempotency-Key', value: '={{ $json.id }}' }] },
    }),
    [],
  ],
  [
    'graphql-mutation-by-http',
    http('POST', 'https://shop.test/graphql', { jsonBody: '{"query":"mutation { addThing(id: 1) { id } }"}' }),
    ['guard.missing info'],
  ],
  [
    'graphql-query-by-http',
    http('POST', 'https://shop.test/graphql', { jsonBody: '{"query":"{ things { id } }"}' }),
    [],
  ],
  [
    'graphql-mutation',
    node('graphql', 1, { endpoint: 'https://shop.test/graphql', query: 'mutation { addThing(id: 1) { id } }' }),
    ['guard.missing info'],
  ],
  [
    'graphql-query',
    node('graphql', 1, { endpoint: 'https://shop.test/graphql', query: 'query { things { id } }' }),
    [],
  ],
  ['http-as-a-tool-name', http('POST', 'https://shop.test/api/validate'), []],
];

export const HTTP: readonly Sample[] = [
  ...ALONE.map(([name, thing, finds]) =>
    n8n(name, { nodes: { Clock: HOURLY, Thing: thing }, flow: 'Clock > Thing' }, { finds }),
  ),
  marked('http-get-mail-patch', [GET, PATCH]),
  marked('http-search-by-post-mail-patch', [SEARCH, http('PATCH', '=https://crm.test/v3/deals/{{ $json.id }}')]),
  marked('http-get-mail-put', [GET, http('PUT', '=https://shop.test/api/orders/{{ $json.id }}/state')]),
  marked('http-get-mail-delete', [GET, http('DELETE', '=https://shop.test/api/orders/{{ $json.id }}')]),
  marked('http-of-version-1', [
    { type: 'httpRequest', typeVersion: 1, parameters: { url: 'https://shop.test/api/orders' } },
    {
      type: 'httpRequest',
      typeVersion: 1,
      parameters: { requestMethod: 'PATCH', url: '=https://shop.test/api/orders/{{ $json.id }}' },
    },
  ]),
  marked('http-get-post-outside-patch', [GET, PATCH, http('POST', 'https://api.telegram.org/botX/sendMessage')]),
  // A POST elsewhere adds one more, which could be taken out again.
  marked('http-get-add-patch', [GET, PATCH, http('POST', 'https://books.test/entries')], {
    finds: ['window.effect-before-mark warning', 'window.read-to-write warning', 'guard.missing warning'],
  }),
  marked('http-get-put-elsewhere-patch', [GET, PATCH, http('PUT', 'https://books.test/entries/7')], {
    finds: ['window.read-to-write warning'],
    paths: [['Read', 'Mark', 1, false]],
  }),
  unmarked('http-get-and-nothing-marks', [GET], HINTS),
  unmarked('http-get-and-a-mark-on-another-host', [GET, http('PATCH', 'https://other.test/api/orders/7')], HINTS),
  unmarked('http-search-and-nothing-marks', [SEARCH]),
  unmarked('http-since-an-hour', [http('GET', 'https://shop.test/orders?since={{ $now.minus({ hours: 1 }) }}')], {
    finds: [...HINTS.finds, 'window.high-water-mark warning'],
  }),
  unmarked('http-one-that-is-known', [http('GET', '=https://shop.test/api/orders/{{ $json.id }}')], {
    finds: ['guard.missing info'],
    paths: [],
  }),
  unmarked('a-feed', [node('rssFeedRead', 1, { url: 'https://news.test/feed' })], HINTS),
  unmarked('facebook-by-get', [node('facebookGraphApi', 1, { node: 'me/posts' })]),
  n8n(
    'http-first-of-a-list',
    {
      nodes: {
        Clock: HOURLY,
        Read: SEARCH,
        Mail: { ...MAIL, parameters: { sendTo: '={{ $json.results[0].email }}' } },
      },
      flow: 'Clock > Read > Mail',
    },
    { finds: ['window.no-status-write warning', 'guard.missing warning', 'items.dropped warning'] },
  ),
];
