/** Histories to measure with: executions of n8n as NDJSON, and workflow files, written to a folder that is deleted after. */
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FIRST_MS = Date.UTC(2025, 0, 1);
const WORKFLOWS = 50;
const HOSTS = 3;
const PIECE = 1 << 20;

export interface Folder extends Disposable {
  readonly path: string;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'audit-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs of fifty workflows, each every five minutes, interleaved as an export has them; one in a thousand overlaps. */
export async function writeExecutions(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  let text = '';
  for (let at = 0; at < count; at += 1) {
    const workflow = at % WORKFLOWS;
    const startMs = FIRST_MS + Math.floor(at / WORKFLOWS) * 300_000 + workflow * 1_000;
    const tookMs = 20_000 + ((at * 7_919) % 100) * 1_500 + (at % 997 === 0 ? 400_000 : 0);
    text += `${JSON.stringify({
      id: String(100_000 + at),
      workflowId: `wf-${workflow}`,
      startedAt: new Date(startMs).toISOString(),
      stoppedAt: new Date(startMs + tookMs).toISOString(),
      status: 'success',
      mode: 'trigger',
    })}\n`;
    if (text.length < PIECE) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'finish');
}

/** A table of fifty jobs that a timer starts every five minutes on each of three hosts: 150 workflows, told apart by their hosts. */
export async function writeHosts(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  let text = 'id,host,job,started,finished,exit\n';
  for (let at = 0; at < count; at += 1) {
    const [job, turn] = [at % WORKFLOWS, Math.floor(at / WORKFLOWS)];
    const startMs = FIRST_MS + Math.floor(turn / HOSTS) * 300_000 + job * 1_000;
    const endMs = startMs + 20_000 + ((at * 7_919) % 100) * 1_500;
    const times = `${new Date(startMs).toISOString()},${new Date(endMs).toISOString()}`;
    text += `${100_000 + at},web${turn % HOSTS}.example.com,job-${job},${times},0\n`;
    if (text.length < PIECE) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'finish');
}

/** Workflows as n8n exports them: a schedule, a read, some steps, an effect, a mark. A hundred a folder. */
export function writeWorkflows(folder: string, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const own = join(folder, String(Math.floor(at / 100)));
    if (at % 100 === 0) mkdirSync(own, { recursive: true });
    writeFileSync(join(own, `${at}.json`), JSON.stringify(workflowOf(at)));
  }
}

function workflowOf(at: number): object {
  const nodes = [
    node('Every', 'n8n-nodes-base.scheduleTrigger', 1.2, {
      rule: { interval: [{ field: 'minutes', minutesInterval: 5 + (at % 50) }] },
    }),
    node('Read', 'n8n-nodes-base.postgres', 2.5, {
      operation: 'executeQuery',
      query: `select id, email from orders_${at % 700} where status = 'new'`,
    }),
    ...Array.from({ length: 6 }, (_, step) => node(`Step ${step}`, 'n8n-nodes-base.set', 3.4, {})),
    node('If', 'n8n-nodes-base.if', 2.2, { conditions: {} }),
    node('Send', 'n8n-nodes-base.gmail', 2.1, { operation: 'send', sendTo: '={{ $json.to }}' }),
    node('Mark', 'n8n-nodes-base.postgres', 2.5, {
      operation: 'executeQuery',
      query: `update orders_${at % 700} set status = 'sent' where id = $1`,
    }),
  ];
  const names = nodes.map(({ name }) => name);
  const connections = Object.fromEntries(
    names.slice(0, -1).map((name, index) => [name, { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] }]),
  );
  return {
    id: `bench${at}`,
    name: `Orders ${at}`,
    active: true,
    nodes,
    connections,
    settings: { timezone: 'Europe/Berlin' },
  };
}

interface Node {
  readonly name: string;
}

const node = (name: string, type: string, typeVersion: number, parameters: object): Node =>
  ({ id: name, name, type, typeVersion, position: [0, 0], parameters }) as Node;
