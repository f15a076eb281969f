/** Columns that name the host of each run. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
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

  it('is none where it names a worker or a pod', async (test) => {
    for (const column of ['worker', 'pod', 'team']) assert.deepEqual(await hostsIn(test, column), UNKNOWN, column);
  });
});
