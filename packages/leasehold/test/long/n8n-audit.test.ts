/**
 * The first story on a real n8n: every five seconds it reads the rows that are new, sends each by a call of 14 seconds,
 * and marks it then. Each row goes out several times, all runs are green, and the audit must say so, with the same numbers
 * from the API and from the database.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { AuditedWorkflow, AuditReport } from '../../src/audit/model/report.ts';
import { openBench } from '../cli/command-line.ts';
import { createDatabase } from '../postgres.ts';
import { N8N_FOLDER, RealN8n, type RealNode } from '../targets/real-n8n.ts';

const ROWS = 12;
const CALL_MS = 14_000;
const PLAY_MS = 45_000;
const SKIP = N8N_FOLDER === null ? 'LEASEHOLD_TEST_N8N names no folder with an n8n in it' : false;

function nodes(sendTo: string, credentials: object): RealNode[] {
  const postgres = { type: 'n8n-nodes-base.postgres', typeVersion: 2.5, credentials };
  const query = (text: string): object => ({ operation: 'executeQuery', query: text, options: {} });
  const rule = { interval: [{ field: 'seconds', secondsInterval: 5 }] };
  return [
    { name: 'Every 5 s', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters: { rule } },
    { name: 'Read new', ...postgres, parameters: query("select id from leads where status = 'new' order by id") },
    {
      name: 'Send',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: { method: 'POST', url: `=${sendTo}/send?id={{ $json.id }}`, options: {} },
    },
    {
      name: 'Mark done',
      ...postgres,
      parameters: query("=update leads set status = 'done' where id = {{ $('Read new').item.json.id }}"),
    },
  ];
}

test('a real n8n that sends each row several times is found out, alike by its API and in its database', {
  skip: SKIP,
  timeout: 400_000,
}, async () => {
  await using work = await createDatabase(18);
  await using own = await createDatabase(18);
  const leads = new pg.Client({ connectionString: work.url });
  await leads.connect();
  await leads.query(
    `create table leads (id integer primary key, status text not null);
     insert into leads select i, 'new' from generate_series(1, ${ROWS}) as n(i)`,
  );
  let sent = 0;
  const provider = createServer((_request, response) => {
    sent += 1;
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{}'), CALL_MS);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  try {
    await using n8n = await RealN8n.start(N8N_FOLDER ?? '', own);
    const key = await n8n.createKey();
    const { hostname: host, port, pathname, username: user, password } = new URL(work.url);
    const credentials = await n8n.createCredential('postgres', {
      host,
      port: Number(port),
      database: pathname.slice(1),
      user,
      password,
      ssl: 'disable',
      allowUnauthorizedCerts: false,
      maxConnections: 10,
      sshTunnel: false,
    });
    await n8n.publish(
      'Send to new leads',
      nodes(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`, credentials),
    );
    await sleep(PLAY_MS);
    assert.ok(sent >= 2 * ROWS, `${sent} were sent`);
    await using bench = openBench();
    const byApi = await audited(`n8n:${n8n.url}`);
    const byDatabase = await audited(own.url);
    assert.ok(byApi.history.overlaps >= 2 && byApi.history.maxConcurrent >= 3, JSON.stringify(byApi.history));
    for (const { history, findings, paths } of [byApi, byDatabase]) {
      assert.deepEqual(paths, [{ read: 'Read new', firstWrite: 'Mark done', steps: 1, effectBeforeMark: true }]);
      const rules = findings.map(({ rule, severity }) => `${rule} ${severity}`);
      assert.ok(rules.includes('overlap.observed critical'), rules.join());
      assert.ok(rules.includes('window.effect-before-mark critical'), rules.join());
      assert.equal(history.overlaps, byApi.history.overlaps);
    }

    async function audited(address: string): Promise<AuditedWorkflow> {
      const { stdout, stderr } = await bench.run(['audit', address, '--json'], { env: { LEASEHOLD_N8N_KEY: key } });
      assert.equal(stderr, '');
      const [workflow] = (JSON.parse(stdout) as AuditReport).workflows;
      assert.ok(workflow !== undefined, stdout);
      return workflow;
    }
  } finally {
    provider.closeAllConnections();
    provider.close();
    await leads.end();
  }
});
