/** The corpus once more, with what no report may show in every place where people have it. */
import type { Sample } from './corpus.ts';

const MAIL = 'jane.doe@corp-mail.example';
const TOKEN = 'tok_Q7xLive9Secret123456';
const KEY = 'K3yInTheQuery77';
const PASSWORD = 's3cr3t-Passw0rd';
const PAYLOAD = 'payload-of-nobody-else-777';

export const SECRETS: readonly string[] = [MAIL, 'jane.doe', TOKEN, KEY, PASSWORD, PAYLOAD];

type Fields = Readonly<Record<string, unknown>>;

/** The same sample, with secrets; what it does is left as it is as far as its format has room beside. */
export function withSecrets(sample: Sample): Sample {
  const files = Object.entries(sample.files).map(([name, content]) => [name, secretly(name, content)]);
  return { ...sample, files: Object.fromEntries(files) as Record<string, unknown> };
}

function secretly(name: string, content: unknown): unknown {
  if (typeof content !== 'string') return inObject(content as Fields);
  if (name === 'crontab') return content.replaceAll(/^([\d*@-][^\r\n]*)/gm, `$1 --user ${MAIL} --password=${PASSWORD}`);
  if (name.endsWith('.ndjson'))
    return content.replaceAll(/\}$/gm, `,"error":"postgres://app:${PASSWORD}@db/x","payload":"${PAYLOAD}"}`);
  return content;
}

function inObject(value: Fields): Fields {
  if (!Array.isArray(value['nodes'])) return { ...value, note: `${MAIL} ${PAYLOAD}` };
  return {
    ...value,
    name: `${String(value['name'])} for ${MAIL}`,
    nodes: (value['nodes'] as Fields[]).map(inNode),
    pinData: { Clock: [{ json: { mail: MAIL, text: PAYLOAD } }] },
    staticData: { token: TOKEN, seen: [PAYLOAD] },
    settings: { ...(value['settings'] as Fields), apiKey: TOKEN },
  };
}

function inNode(node: Fields): Fields {
  const parameters = node['parameters'] as Fields;
  const { url } = parameters;
  const isPlain = typeof url === 'string' && !url.includes('?') && !url.startsWith('=');
  return {
    ...node,
    notes: `ask ${MAIL}, password ${PASSWORD}`,
    credentials: { any: { id: 'c1', name: `Account of ${MAIL} (token: ${TOKEN})` } },
    parameters: {
      ...parameters,
      ...(isPlain ? { url: `${url.replace('https://', `https://app:${PASSWORD}@`)}?api_key=${KEY}` } : {}),
      authHeader: `Bearer ${TOKEN}`,
      connection: `postgres://app:${PASSWORD}@db.test/x`,
      text: PAYLOAD,
    },
  };
}

const CLOCK = { type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, position: [0, 0], parameters: {} };
const SENT = { type: 'n8n-nodes-base.gmail', typeVersion: 2.1, position: [0, 0], parameters: {} };

/** Names and addresses that findings quote. */
export const NAMED: readonly Sample[] = [
  {
    name: 'secrets-in-names-of-nodes',
    files: {
      'a.json': {
        id: 'secrets-in-names-of-nodes',
        name: `Mail to ${MAIL}`,
        nodes: [
          { name: `Every day, key=${TOKEN}`, ...CLOCK },
          { name: `Mail to ${MAIL} password: ${PASSWORD}`, ...SENT },
        ],
        connections: {
          [`Every day, key=${TOKEN}`]: {
            main: [[{ node: `Mail to ${MAIL} password: ${PASSWORD}`, type: 'main', index: 0 }]],
          },
        },
        settings: { [`maxConcurrent token=${TOKEN}`]: 1 },
      },
    },
    known: { finds: [] },
  },
  {
    name: 'secrets-in-a-crontab',
    files: {
      crontab: [
        `MAILTO=${MAIL}`,
        `*/5 * * * * PGPASSWORD=${PASSWORD} curl -H "Authorization: Bearer ${TOKEN}" "https://app:${PASSWORD}@x.test/run?key=${KEY}"`,
        `*/5 * * * * flock -n /tmp/${MAIL}.lock mysql -u app -p${PASSWORD} shop`,
        `*/5 * * * * pgrep -f ${MAIL} || /srv/sync --token ${TOKEN} ${MAIL}`,
        '',
      ].join('\n'),
    },
    known: { finds: [] },
  },
  {
    name: 'secrets-in-a-history',
    files: {
      'runs.csv': [
        'Run ID,Workflow,Started,Finished',
        `${MAIL},Report for ${MAIL},2026-06-01T10:00:00Z,2026-06-01T11:00:00Z`,
        `token=${TOKEN},Report for ${MAIL},2026-06-01T10:30:00Z,2026-06-01T11:30:00Z`,
        `password=${PASSWORD},Report for ${MAIL},2026-06-01T10:40:00Z,2026-06-01T10:20:00Z`,
        '',
      ].join('\n'),
    },
    known: { finds: [] },
  },
  {
    name: 'secrets-in-what-is-not-read',
    files: { 'a.csv': `start,password\n${PASSWORD},${TOKEN}\n`, 'b.json': `{"token": "${TOKEN}", "mail": "${MAIL}"` },
    known: { finds: [] },
  },
];
