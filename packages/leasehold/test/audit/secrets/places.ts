/** Where people leave secrets: each place takes a text into one field that some reader takes in. */
export type Files = Readonly<Record<string, unknown>>;

export interface Place {
  readonly name: string;
  /** Null where a text can't stand there. */
  readonly files: (text: string) => Files | null;
}

export const place = (name: string, files: Place['files']): Place => ({ name, files });

/** Quotes and line ends would end the field. */
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const START = ['2026-06-01T10:00:00Z', '2026-06-01T10:30:00Z', '2026-06-01T10:40:00Z'];
const END = ['2026-06-01T11:00:00Z', '2026-06-01T11:30:00Z', '2026-06-01T10:20:00Z'];

/** Overlapping runs and one that ended before it started, so that much is said of them. */
function csv(columns: string, row: (at: number) => string): string {
  return `${[columns, ...[0, 1, 2].map(row)].join('\n')}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

const CLOCK = { type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, position: [0, 0] };
const READ = { type: 'n8n-nodes-base.postgres', typeVersion: 2.4, position: [200, 0] };
const SEND = { type: 'n8n-nodes-base.gmail', typeVersion: 2.1, position: [400, 0] };

interface Drawn {
  readonly workflow?: Fields;
  readonly clock?: Fields;
  readonly read?: Fields;
  readonly send?: Fields;
  readonly names?: readonly [string, string, string];
  /** What the connections call the last node. */
  readonly target?: string;
}

/** Clock, read, send and no mark: the rules have much to say. */
function drawn({
  workflow = {},
  clock = {},
  read = {},
  send = {},
  names = ['Clock', 'Read', 'Send'],
  target,
}: Drawn): Fields {
  const [first, second, third] = names;
  const to = (node: string): Fields => ({ main: [[{ node, type: 'main', index: 0 }]] });
  return {
    id: 'w1',
    name: 'Orders',
    active: true,
    nodes: [
      {
        name: first,
        parameters: { rule: { interval: [{ field: 'minutes', minutesInterval: 5 }] } },
        ...CLOCK,
        ...clock,
      },
      {
        name: second,
        parameters: { operation: 'executeQuery', query: "select * from orders where status = 'new'" },
        ...READ,
        ...read,
      },
      { name: third, parameters: { sendTo: '={{ $json.mail }}' }, ...SEND, ...send },
    ],
    connections: { [first]: to(second), [second]: to(target ?? third) },
    settings: { timezone: 'UTC' },
    ...workflow,
  };
}

const workflow = (name: string, of: (text: string) => Drawn): Place =>
  place(`n8n: ${name}`, (text) => ({ 'w.json': drawn(of(text)) }));

const execution = (name: string, of: (text: string) => Fields): Place =>
  place(`n8n runs: ${name}`, (text) => ({
    'runs.json': {
      data: START.map((startedAt, at) => ({
        id: `${at + 1}`,
        workflowId: 'w1',
        mode: 'trigger',
        status: 'success',
        finished: true,
        startedAt,
        stoppedAt: END[at],
        ...of(text),
      })),
    },
  }));

const make = (name: string, of: (text: string) => Fields): Place =>
  place(`Make: ${name}`, (text) => ({
    'blueprint.json': {
      name: 'Orders',
      flow: [
        { id: 1, module: 'google-sheets:watchRows', parameters: { __IMTCONN__: 5 } },
        { id: 2, module: 'google-email:ActionSendEmail', mapper: { to: '{{1.mail}}' } },
      ],
      metadata: {
        instant: false,
        version: 1,
        scenario: { roundtrips: 1, sequential: true, dlq: true, dataloss: true },
      },
      ...of(text),
    },
  }));

const zapStep = (given: Fields): Fields => ({
  id: 8,
  parent_id: 7,
  root_id: 7,
  type_of: 'write',
  action: 'queue',
  selected_api: 'DelayCLIAPI@1.1.1',
  params: {},
  meta: {},
  ...given,
});

const zap = (name: string, of: (text: string) => { zap?: Fields; step?: Fields; trigger?: Fields }): Place =>
  place(`Zapier: ${name}`, (text) => {
    const given = of(text);
    const trigger = {
      id: 7,
      parent_id: null,
      root_id: null,
      type_of: 'read',
      action: 'new_row',
      selected_api: 'GoogleSheetsV2CLIAPI@2.1.0',
      params: {},
      meta: {},
      ...given.trigger,
    };
    return {
      'zapfile.json': {
        metadata: { version: 'gdpr_v1' },
        zaps: [
          {
            id: 'z1',
            title: 'Orders',
            status: 'on',
            nodes: { 7: trigger, 8: zapStep(given.step ?? {}) },
            ...given.zap,
          },
        ],
      },
    };
  });

const COLUMNS = 'Run ID,Workflow,Started,Finished';

export const PLACES: readonly Place[] = [
  place('CSV: a workflow', (text) => ({
    'a.csv': csv(COLUMNS, (at) => `${at},${cell(text)},${START[at]},${END[at]}`),
  })),
  place('CSV: a workflow, each with a number', (text) => ({
    'a.csv': csv(COLUMNS, (at) => `${at},${cell(`${text} ${at}`)},${START[at]},${END[at]}`),
  })),
  place('CSV: an id of a run', (text) => ({
    'a.csv': csv(COLUMNS, (at) => `${cell(`${text} ${at}`)},job,${START[at]},${END[at]}`),
  })),
  place('CSV: an id of a workflow', (text) => ({
    'a.csv': csv(
      'Run ID,Workflow ID,Workflow,Started,Finished',
      (at) => `${at},${cell(text)},job,${START[at]},${END[at]}`,
    ),
  })),
  place('CSV: a version', (text) => ({
    'a.csv': csv(`${COLUMNS},version`, (at) => `${at},job,2026-06-01T10:00:00Z,${END[at]},${cell(`${text} ${at}`)}`),
  })),
  place('CSV: the run that it repeats', (text) => ({
    'a.csv': csv(`${COLUMNS},retry of`, (at) => `${at},job,${START[at]},${END[at]},${cell(text)}`),
  })),
  place('CSV: a name of a column', (text) => ({
    'a.csv': csv(`${COLUMNS},${cell(text)}`, (at) => `${at},job,${START[at]},${END[at]},x`),
  })),
  place('CSV: the only names of columns', (text) => ({
    'a.csv': csv(`id,${cell(text)},note`, (at) => `${at},2026,x`),
  })),
  place('CSV: a start', (text) => ({
    'a.csv': csv(COLUMNS, (at) => `${at},job,${at === 0 ? cell(text) : START[at]},${END[at]}`),
  })),
  place('CSV: a zone', (text) => ({
    'a.csv': csv(`${COLUMNS},timezone`, (at) => `${at},job,2026-06-01 10:0${at},2026-06-01 11:0${at},${cell(text)}`),
  })),
  place('CSV: a status', (text) => ({
    'a.csv': csv(`${COLUMNS},status`, (at) => `${at},job,${START[at]},${END[at]},${cell(text)}`),
  })),
  place('CSV: a trigger', (text) => ({
    'a.csv': csv(`${COLUMNS},trigger`, (at) => `${at},job,${START[at]},${END[at]},${cell(text)}`),
  })),
  place('CSV: an error', (text) => ({
    'a.csv': csv(`${COLUMNS},error`, (at) => `${at},job,${START[at]},${END[at]},${cell(text)}`),
  })),
  place('CSV without names of columns', (text) => ({
    'a.csv': [0, 1, 2].map((at) => `${at},${cell(text)},${START[at]},${END[at]}`).join('\n'),
  })),
  place('NDJSON: a workflow', (text) => ({
    'a.ndjson': START.map((startedAt, at) =>
      JSON.stringify({ id: at, workflow: text, startedAt, endedAt: END[at] }),
    ).join('\n'),
  })),
  place('NDJSON: a name of a field', (text) => ({
    'a.ndjson': START.map((startedAt, at) => JSON.stringify({ id: at, startedAt, endedAt: END[at], [text]: 1 })).join(
      '\n',
    ),
  })),
  place('NDJSON: a line that is none', (text) => ({
    'a.ndjson': `${START.map((startedAt, at) => JSON.stringify({ id: at, startedAt, endedAt: END[at] })).join('\n')}\n{"error": ${text}\n`,
  })),
  place('JSON that is cut short', (text) => ({ 'a.json': `{"data":[{"id":"1","workflowId":"w","error":"${text}` })),
  place('a text of nobody', (text) => ({ 'a.txt': text })),
  place('a name of a file', (text) =>
    /[/\0]/.test(text) || text.length > 200
      ? null
      : { [`${text}.csv`]: csv(COLUMNS, (at) => `${at},job,${START[at]},${END[at]}`) },
  ),
  place('a name of a file that is not read', (text) =>
    /[/\0]/.test(text) || text.length > 200 ? null : { [`${text}.json`]: '{"a":' },
  ),
  place('a name of a folder', (text) =>
    /[/\0]/.test(text) || text.length > 200 ? null : { [`${text}/w.json`]: drawn({}) },
  ),
  workflow('a name', (text) => ({ workflow: { name: text } })),
  workflow('a name that takes the place of an id', (text) => ({ workflow: { id: undefined, name: text } })),
  workflow('names of nodes', (text) => ({ names: [`${text} 1`, `${text} 2`, `${text} 3`] })),
  workflow('a long name of a node', (text) => ({ names: ['Clock', `${'long '.repeat(33)}${text}`, 'Send'] })),
  workflow('two nodes of one name', (text) => ({ names: ['Clock', text, text] })),
  workflow('a node that does not exist', (text) => ({ target: text })),
  workflow('a note', (text) => ({ read: { notes: text, notesInFlow: true } })),
  workflow('a parameter', (text) => ({
    read: { parameters: { operation: 'executeQuery', query: `select * from orders where note = '${text}'` } },
  })),
  workflow('a table', (text) => ({ read: { parameters: { operation: 'select', table: text, schema: 'public' } } })),
  workflow('a credential', (text) => ({ read: { credentials: { postgres: { id: 'c', name: text } } } })),
  workflow('an id of a credential', (text) => ({ read: { credentials: { postgres: { id: text, name: 'x' } } } })),
  workflow('a type of a node', (text) => ({ send: { type: text } })),
  workflow('an address', (text) => ({
    send: { type: 'n8n-nodes-base.httpRequest', parameters: { method: 'POST', url: text } },
  })),
  workflow('a body', (text) => ({
    send: {
      type: 'n8n-nodes-base.httpRequest',
      parameters: { method: 'POST', url: 'https://x.test/a', jsonBody: text },
    },
  })),
  workflow('code', (text) => ({
    send: { type: 'n8n-nodes-base.code', parameters: { jsCode: `const x = "${text}"; return [items[0]];` } },
  })),
  workflow('a cron expression', (text) => ({
    clock: { parameters: { rule: { interval: [{ field: 'cronExpression', expression: text }] } } },
  })),
  workflow('a unit', (text) => ({ clock: { parameters: { rule: { interval: [{ field: text }] } } } })),
  workflow('an hour', (text) => ({
    clock: { parameters: { rule: { interval: [{ field: 'days', triggerAtHour: text }] } } },
  })),
  workflow('a zone', (text) => ({ workflow: { settings: { timezone: text } } })),
  workflow('a setting', (text) => ({ workflow: { settings: { [`maxConcurrent ${text}`]: 1, other: text } } })),
  workflow('an unknown setting', (text) => ({ workflow: { settings: { [text]: 1 } } })),
  workflow('tags', (text) => ({ workflow: { tags: [text, { id: '1', name: text }] } })),
  workflow('pinned data', (text) => ({ workflow: { pinData: { Read: [{ json: { text } }] }, staticData: { text } } })),
  workflow('a version', (text) => ({
    workflow: {
      versionId: text,
      activeVersionId: `${text} 2`,
      activeVersion: { versionId: `${text} 2`, nodes: [], connections: {} },
    },
  })),
  workflow('a sub-workflow', (text) => ({
    send: { type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId: { mode: 'id', value: text } } },
  })),
  execution('a name of a workflow', (text) => ({ workflowName: text, workflowId: 'w1' })),
  execution('an error', (text) => ({ status: 'error', data: { resultData: { error: { message: text } } } })),
  execution('a workflow with it', (text) => ({
    workflowData: drawn({ workflow: { name: text }, names: ['Clock', `${text} a`, `${text} b`] }),
  })),
  execution('an id', (text) => ({ id: text })),
  execution('an id of a workflow', (text) => ({ workflowId: text })),
  execution('a version', (text) => ({ workflowVersionId: text })),
  execution('a status', (text) => ({ status: text })),
  execution('a mode', (text) => ({ mode: text })),
  place('an event log', (text) => ({
    'log.ndjson': START.flatMap((ts, at) => [
      {
        ts,
        eventName: 'n8n.workflow.started',
        payload: { executionId: String(at), workflowId: 'w', workflowName: text },
      },
      {
        ts: END[at],
        eventName: 'n8n.workflow.failed',
        payload: { executionId: String(at), workflowId: 'w', workflowName: text, errorMessage: text },
      },
    ])
      .map((each) => JSON.stringify(each))
      .join('\n'),
  })),
  make('a name', (text) => ({ name: text })),
  make('labels of modules', (text) => ({
    flow: [
      { id: 1, module: 'google-sheets:watchRows', metadata: { designer: { name: text } } },
      { id: 2, module: 'google-email:ActionSendEmail', metadata: { designer: { name: text } }, mapper: { to: text } },
      { id: 3, module: 'util:FunctionSleep', metadata: { designer: { name: text } }, mapper: { duration: text } },
    ],
  })),
  make('an account', (text) => ({
    flow: [
      {
        id: 1,
        module: 'google-sheets:watchRows',
        metadata: { restore: { parameters: { __IMTCONN__: { label: text } } } },
      },
      { id: 2, module: 'google-email:ActionSendEmail' },
    ],
  })),
  make('a module', (text) => ({
    flow: [
      { id: 1, module: 'google-sheets:watchRows' },
      { id: 2, module: text },
    ],
  })),
  make('an address', (text) => ({
    flow: [
      { id: 1, module: 'google-sheets:watchRows' },
      { id: 2, module: 'http:ActionSendData', mapper: { url: text } },
    ],
  })),
  make('a schedule', (text) => ({ scheduling: { type: text, interval: 900, date: text } })),
  place('Make’s logs: a name', (text) => ({
    'log.json': START.map((timestamp, at) => ({
      imtId: `${at}_scenario.5.auto.e${at}`,
      timestamp,
      duration: 3_600_000,
      status: 3,
      operations: 1,
      scenarioName: text,
      eventType: 'EXECUTION_END',
      error: { message: text },
    })),
  })),
  zap('a title', (text) => ({ zap: { title: text } })),
  zap('a title of a step', (text) => ({ step: { meta: { stepTitle: text } } })),
  zap('an app', (text) => ({ step: { selected_api: `${text}@1.0.0`, action: text } })),
  zap('a value', (text) => ({ step: { params: { delay_for_value: text, delay_for_unit: text } } })),
  zap('a zone', (text) => ({
    trigger: {
      selected_api: 'ScheduleCLIAPI@1.7.0',
      action: 'everyDay',
      params: { hod: '9:30 PM', weekends: 'yes' },
      meta: { timezone: text },
    },
  })),
  zap('an hour', (text) => ({
    trigger: {
      selected_api: 'ScheduleCLIAPI@1.7.0',
      action: 'everyDay',
      params: { hod: text },
      meta: { timezone: 'UTC' },
    },
  })),
  place('Zapier’s runs', (text) => ({
    'runs.json': {
      results: START.map((start_time, at) => ({
        id: `r${at}`,
        start_time,
        end_time: END[at],
        status: 'success',
        zap_id: 'z',
        zap_title: text,
        steps: [{ title: text }],
      })),
    },
  })),
];
