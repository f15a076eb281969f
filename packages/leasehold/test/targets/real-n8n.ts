/**
 * A real n8n, installed by whoever runs the test: LEASEHOLD_TEST_N8N names the folder in which `npm i n8n@2.41.1
 * --ignore-scripts` was run (2,400 packages, so it is nobody's dependency). It keeps its data in a PostgreSQL database of
 * its own and listens on this computer only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../postgres.ts';

/** Null where none was installed. */
export const N8N_FOLDER: string | null = process.env['LEASEHOLD_TEST_N8N'] ?? null;

const START_MS_MAX = 180_000;
const OWNER = { email: 'owner@example.com', firstName: 'O', lastName: 'W', password: 'Passw0rd1' };

export interface RealNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: object;
  readonly credentials?: object;
}

export class RealN8n implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #home: string;
  #cookie = '';

  private constructor(url: string, child: ChildProcess, home: string) {
    this.url = url;
    this.#child = child;
    this.#home = home;
  }

  /** Starts it on the database and waits until it answers. */
  static async start(folder: string, database: TestDatabase): Promise<RealN8n> {
    const [port, brokerPort] = [await freePort(), await freePort()];
    const home = mkdtempSync(join(tmpdir(), 'leasehold-n8n-home-'));
    const { hostname, port: databasePort, pathname, username, password } = new URL(database.url);
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      N8N_USER_FOLDER: home,
      GENERIC_TIMEZONE: 'UTC',
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: hostname,
      DB_POSTGRESDB_PORT: databasePort,
      DB_POSTGRESDB_DATABASE: pathname.slice(1),
      DB_POSTGRESDB_USER: username,
      DB_POSTGRESDB_PASSWORD: password,
      N8N_SECURE_COOKIE: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
    };
    const main = join(folder, 'node_modules/n8n/bin/n8n');
    const child = spawn(process.execPath, [main, 'start'], { env, cwd: home, stdio: 'ignore' });
    const n8n = new RealN8n(`http://127.0.0.1:${port}`, child, home);
    const endAt = performance.now() + START_MS_MAX;
    while (performance.now() < endAt && child.exitCode === null) {
      const isUp = await fetch(`${n8n.url}/rest/settings`).then(
        // While it makes its tables it answers any address with a sentence.
        ({ ok, headers }) => ok && headers.get('content-type')?.includes('json') === true,
        () => false,
      );
      if (isUp) return n8n;
      await sleep(1_000);
    }
    await n8n[Symbol.asyncDispose]();
    throw new Error('n8n did not start');
  }

  /** Makes its owner, and answers an API key that may list workflows and executions. */
  async createKey(): Promise<string> {
    await this.#call('POST', '/rest/owner/setup', OWNER);
    const scopes = ['workflow:list', 'execution:list'];
    const { rawApiKey } = await this.#call('POST', '/rest/api-keys', { label: 'audit', expiresAt: null, scopes });
    return rawApiKey as string;
  }

  async createCredential(type: string, data: object): Promise<object> {
    const { id, name } = await this.#call('POST', '/rest/credentials', { name: type, type, data });
    return { [type]: { id, name } };
  }

  /** Nodes in a row, the first of which starts it; published at once. */
  async publish(name: string, nodes: readonly RealNode[]): Promise<void> {
    const pairs = nodes.slice(1).map(({ name: to }, at) => {
      const main = [[{ node: to, type: 'main', index: 0 }]];
      return [nodes[at]?.name ?? '', { main }] as const;
    });
    const placed = nodes.map((node, at) => ({ id: randomUUID(), position: [at * 200, 0], ...node }));
    const settings = { executionOrder: 'v1', timezone: 'Europe/Berlin' };
    const workflow = { name, nodes: placed, connections: Object.fromEntries(pairs), settings };
    const { id, versionId } = await this.#call('POST', '/rest/workflows', workflow);
    await this.#call('POST', `/rest/workflows/${String(id)}/activate`, { versionId });
  }

  async #call(method: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'content-type': 'application/json', cookie: this.#cookie, 'browser-id': 'a-test' };
    const response = await fetch(this.url + path, { method, headers, body: JSON.stringify(body) });
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) this.#cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly data: Readonly<Record<string, unknown>> }).data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode === null && this.#child.kill('SIGKILL')) await ended;
    rmSync(this.#home, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
