/**
 * An n8n whose public API v1 is asked over real HTTP. It behaves as n8n 2.41.1 was seen to, and with `isOld` as those before
 * `startedAfter` and the full list of statuses: they refuse what they don't know with 400.
 *
 * - Executions come newest first, by pages whose cursor holds the last id and the limit; workflows by pages of an offset.
 * - Without a status, what this process is running is left out; what waits or is queued is in it.
 * - Any path that is not the API's is the editor: a web page, answered 200.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ApiExecution {
  readonly id: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly stoppedAt: string | null;
  readonly workflowId: string;
  readonly [field: string]: unknown;
}

export type ApiWorkflow = Readonly<Record<string, unknown>> & { readonly id: string };

/** Answers a request instead of the API; true where it did. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

const KEY = 'a-key-of-the-test-suite';

export class N8nApi implements AsyncDisposable {
  readonly key = KEY;
  workflows: ApiWorkflow[] = [];
  executions: ApiExecution[] = [];
  scopes: ReadonlySet<string> = new Set(['workflow:list', 'execution:list']);
  isOld = false;
  /** Below which path it is served, as `N8N_PATH` says. */
  path = '';
  fault: Fault = () => false;
  /** Called after each page of executions: what happens between two requests. */
  afterPage: () => void = () => {};
  readonly asked: { readonly path: string; readonly key: string | undefined }[] = [];
  readonly #server: Server = createServer((request, response) => this.#serve(request, response));

  static async open(
    fields: Partial<Pick<N8nApi, 'workflows' | 'executions' | 'isOld' | 'path'>> = {},
  ): Promise<N8nApi> {
    const api = Object.assign(new N8nApi(), fields);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push({ path: request.url ?? '', key: request.headers['x-n8n-api-key'] as string | undefined });
    if (this.fault(request, response)) return;
    const url = new URL(request.url ?? '/', this.url);
    const list = url.pathname.slice(`${this.path}/api/v1/`.length);
    if (!url.pathname.startsWith(`${this.path}/api/v1/`)) return editor(response);
    if (request.headers['x-n8n-api-key'] !== KEY) return json(response, 401, { message: 'Unauthorized' });
    if (!this.scopes.has(`${list.slice(0, -1)}:list`)) return json(response, 403, { message: 'Forbidden' });
    const refusal = this.isOld ? refusedByOld(url.searchParams) : null;
    if (refusal !== null) return json(response, 400, { message: refusal });
    json(response, 200, list === 'workflows' ? this.#listWorkflows(url) : this.#listExecutions(url));
    if (list === 'executions') this.afterPage();
  }

  #listWorkflows({ searchParams }: URL): unknown {
    const cursor = decode(searchParams.get('cursor'));
    const { offset = 0, limit = Number(searchParams.get('limit') ?? 100) } = cursor;
    const isMore = this.workflows.length > offset + limit;
    const data = this.workflows.slice(offset, offset + limit);
    return { data, nextCursor: isMore ? encode({ limit, offset: offset + limit }) : null };
  }

  #listExecutions({ searchParams }: URL): unknown {
    const { lastId = Number.POSITIVE_INFINITY, limit = Math.min(250, Number(searchParams.get('limit') ?? 100)) } =
      decode(searchParams.get('cursor'));
    const status = searchParams.get('status');
    const after = Date.parse(searchParams.get('startedAfter') ?? '');
    const left = this.executions
      .filter((each) => (status === null ? each.status !== 'running' : each.status === status))
      .filter(({ startedAt }) => Number.isNaN(after) || (startedAt !== null && Date.parse(startedAt) > after))
      .filter(({ id }) => Number(id) < lastId)
      .toSorted((one, other) => Number(other.id) - Number(one.id));
    const data = left.slice(0, limit);
    return { data, nextCursor: left.length > limit ? encode({ lastId: Number(data.at(-1)?.id), limit }) : null };
  }
}

/** Before 2.13 or so: no time filter, and of what is open only what waits could be listed. */
function refusedByOld(parameters: URLSearchParams): string | null {
  const unknown = ['startedAfter', 'excludePinnedData'].find((name) => parameters.has(name));
  if (unknown !== undefined) return `Unknown query parameter '${unknown}'`;
  const status = parameters.get('status');
  return status === null || ['error', 'success', 'waiting'].includes(status)
    ? null
    : 'request.query.status must be equal to one of the allowed values: error, success, waiting';
}

/** A fault for the first `times` requests of a list that answers so; with a status of 0 the connection is cut. */
export function failing(
  list: string,
  status: number,
  times: number,
  headers: Readonly<Record<string, string>> = {},
): Fault {
  let left = times;
  return (request, response) => {
    if (left === 0 || request.url?.includes(list) !== true) return false;
    left -= 1;
    if (status === 0) response.destroy();
    else response.writeHead(status, headers).end();
    return true;
  };
}

function editor(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><div id="app"></div></html>');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

interface Cursor {
  readonly lastId?: number;
  readonly offset?: number;
  readonly limit?: number;
}

function decode(cursor: string | null): Cursor {
  return cursor === null ? {} : (JSON.parse(Buffer.from(cursor, 'base64').toString()) as Cursor);
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64');
}
