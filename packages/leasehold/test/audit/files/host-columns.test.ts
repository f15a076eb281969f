/** Columns that name the host of each run. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { TABLE_SAID } from '../../../src/audit/readers/table/table-said.ts';
import { type Given, readFile } from './stage.ts';

async function hostsIn(test: TestContext, column: string, given?: Given): Promise<readonly (string | undefined)[][]> {
  const rows = ['web1', 'db1'].map((host) => `${host},backup,2026-03-01T10:00:00Z,2026-03-01T10:10:00Z`);
  const { runs } = await readFile(test, 'runs.csv', `${[`${column},job,start,end`, ...rows].join('\n')}\n`, given);
  return runs.map(({ workflow, host }) => [workflow, host]);
}

const KNOWN = [
  ['backup', 'web1'],
  ['backup', 'db1'],
];
const UNKNOWN = [
  ['backup', undefined],
  ['backup', undefined],
];

describe('a column that names the host of a run', () => {
  it('is known by its name, in the languages that names of columns are known in', async (test) => {
    for (const column of [
      'host',
      'Hostname',
      'server_name',
      'node',
      'Machine',
      'region',
      'Rechner',
      'hôte',
      'servidor',
    ])
      assert.deepEqual(await hostsIn(test, column), KNOWN, column);
  });

  it('is no part of the workflow where --map says what the workflow is', async (test) => {
    assert.deepEqual(await hostsIn(test, 'host', { map: 'workflow=job' }), UNKNOWN);
    assert.deepEqual(await hostsIn(test, 'host', { map: 'name=job' }), UNKNOWN);
  });

  it('is part of the name of the workflow where --map says that it is the host', async (test) => {
    const apart = [
      ['backup on web1', undefined],
      ['backup on db1', undefined],
    ];
    assert.deepEqual(await hostsIn(test, 'place', { map: 'host=place' }), apart);
    assert.deepEqual(await hostsIn(test, 'host', { map: 'workflow=job,host=host' }), apart);
  });

  it('is none where it names what takes runs of any schedule, which is said with how to say otherwise', async (test) => {
    for (const column of ['worker', 'instance', 'Worker name', 'agent', 'pod', 'runner', 'Instanz', 'container_id']) {
      const rows = ['a', 'b', 'a'].map(
        (host, at) => `${host},backup,2026-03-01T1${at}:00:00Z,2026-03-01T1${at}:10:00Z`,
      );
      const text = `${[`${column},job,start,end`, ...rows].join('\n')}\n`;
      const said = TABLE_SAID.workers(column, 2);
      const read = await readFile(test, 'runs.csv', text);
      assert.deepEqual([read.runs.map(({ host }) => host), read.limits], [[undefined, undefined, undefined], [said]]);
      const given = await readFile(test, 'runs.csv', text, { map: `host="${column}"` });
      assert.deepEqual([given.runs[0]?.workflow, given.limits], ['backup on a', []], column);
    }
  });

  it('is known in German and other languages by more than one word', async (test) => {
    for (const column of ['Servername', 'Rechnername', 'Maschine', 'Knoten', 'Host', 'host_name', 'Server Name'])
      assert.deepEqual(await hostsIn(test, column), KNOWN, column);
  });

  it('is none where it names a worker or a pod', async (test) => {
    for (const column of ['worker', 'pod', 'team']) assert.deepEqual(await hostsIn(test, column), UNKNOWN, column);
  });
});
