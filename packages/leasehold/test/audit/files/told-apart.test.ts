/** Columns that tell rows of one job apart, and columns that don't. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Finding } from '../../../src/audit/model/finding.ts';
import { contextOf } from '../../../src/audit/context.ts';
import { subjectsOf } from '../../../src/audit/collect/subjects.ts';
import { AUDIT_RULES } from '../../../src/audit/rules/rules.ts';
import { collect, NOW } from '../stage.ts';
import { readFile } from './stage.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

/** `workflow: rule severity` of all that is more than a note, by workflow; a workflow without stands alone. */
async function judged(test: TestContext, rows: readonly string[], map?: string): Promise<readonly string[]> {
  const { runs } = await readFile(test, 'runs.csv', `${rows.join('\n')}\n`, map === undefined ? {} : { map });
  const found = collect(runs);
  return subjectsOf(found).map((subject) => {
    const window = { fromMs: START, toMs: NOW, timezone: null };
    const context = contextOf(subject, found.table, { nowMs: NOW, window, given: null });
    const loud = AUDIT_RULES.flatMap((rule): readonly Finding[] => rule(context)).filter(
      ({ severity }) => severity !== 'info',
    );
    return [subject.name, ...new Set(loud.map(({ rule, severity }) => `${rule} ${severity}`))].join(' | ');
  });
}

const limitsOf = async (test: TestContext, rows: readonly string[]): Promise<string> =>
  (await readFile(test, 'runs.csv', `${rows.join('\n')}\n`)).limits.join('\n');

/** 200 slots, every 15 minutes, each with a row of each value. */
function slots(
  column: string,
  values: readonly string[],
  { tookMin = 5, apartMin = 0 }: { readonly tookMin?: number; readonly apartMin?: number } = {},
): string[] {
  const rows = Array.from({ length: 200 }, (_, slot) =>
    values.map((value, nth) => {
      const start = slot * 15 + nth * apartMin;
      return `sync,${value},${at(start)},${at(start + tookMin)}`;
    }),
  ).flat();
  return [`job,${column},start,end`, ...rows];
}

describe('a column that tells rows of one job apart', () => {
  it('makes a workflow of each of its values, and says so', async (test) => {
    for (const column of ['tenant', 'customer_id', 'shard', 'region_name', 'step', 'flavour']) {
      const rows = slots(column, ['acme', 'globex', 'initech']);
      assert.deepEqual(await judged(test, rows), ['sync [acme]', 'sync [globex]', 'sync [initech]'], column);
      assert.match(await limitsOf(test, rows), new RegExp(`"${column}" tells rows apart .* --map workflow=job judges`));
    }
  });

  it('makes one of steps that start one after the other and overlap a little', async (test) => {
    const rows = slots('step', ['checkout', 'build', 'test'], { tookMin: 1.5, apartMin: 1 });
    assert.deepEqual(await judged(test, rows), ['sync [checkout]', 'sync [build]', 'sync [test]']);
  });

  it('leaves what overlaps within a value to be found', async (test) => {
    const found = await judged(test, slots('tenant', ['acme', 'globex'], { tookMin: 20 }));
    assert.deepEqual(
      found.map((each) => each.split(' | ').slice(0, 2)),
      ['acme', 'globex'].map((tenant) => [`sync [${tenant}]`, 'overlap.observed critical']),
    );
  });

  it('is no part of the workflow where --map says what the workflow is', async (test) => {
    const [only = '', ...others] = await judged(test, slots('tenant', ['acme', 'globex']), 'workflow=job');
    assert.deepEqual(others, []);
    assert.match(only, /^sync \| overlap\.observed critical/);
  });

  it('leaves a job whole that has one value', async (test) => {
    const rows = [
      ...slots('tenant', ['acme', 'globex']),
      ...slots('tenant', ['acme'])
        .slice(1)
        .map((row) => row.replace('sync', 'bill')),
    ];
    assert.deepEqual(await judged(test, rows), ['sync [acme]', 'sync [globex]', 'bill']);
  });
});

describe('a column that tells no jobs apart', () => {
  it('is one of workers, of what came of a run, or of chance: the overlap is found', async (test) => {
    for (const [column, values] of [
      ['worker', ['w1', 'w2']],
      ['pod', ['a', 'b']],
      ['result', ['sent', 'none']],
      ['duplicate', ['yes', 'no']],
      ['sent', ['0', '7']],
    ] as const) {
      const [only = '', ...others] = await judged(test, slots(column, values));
      assert.deepEqual(others, [], column);
      assert.match(only, /^sync \| overlap\.observed critical \| trigger\.duplicate critical/, column);
    }
    const random = slots('tenant', ['acme', 'globex'], { tookMin: 20 }).map((row, nth) =>
      nth === 0
        ? row
        : row.replace(/acme|globex/, ['acme', 'globex', 'initech'][(nth * nth * 7 + (nth >> 2)) % 3] ?? ''),
    );
    assert.match((await judged(test, random))[0] ?? '', /^sync \| overlap\.observed critical/);
  });

  it('is one beside which nothing overlaps', async (test) => {
    const rows = slots('tenant', ['acme', 'globex', 'initech'], { tookMin: 4, apartMin: 5 });
    assert.deepEqual(await judged(test, rows), ['sync | overlap.predicted warning']);
    assert.equal(await limitsOf(test, rows), '');
  });

  it('is named where it may explain what overlaps and too little shows that it does', async (test) => {
    const rows = slots('flavour', ['1', '2', '3'], { tookMin: 5 });
    assert.match(
      await limitsOf(test, rows),
      /"flavour" may tell apart what overlaps here, and was not looked at: .*--map host=flavour/,
    );
  });
});

describe('rows of one run id', () => {
  /** Tasks of a run of 14 minutes, each of 6, every 15. */
  const tasks = (runMin: number): string[] => [
    'dag_id,task_id,run_id,start_date,end_date,state',
    ...Array.from({ length: 200 }, (_, nth) =>
      ['a', 'b', 'c'].map((task, step) => {
        const start = nth * 15 + (step * (runMin - 6)) / 2;
        return `etl,${task},r${nth},${at(start)},${at(start + 6)},success`;
      }),
    ).flat(),
  ];

  it('are parts of one run, from the first start to the last end', async (test) => {
    assert.deepEqual(await judged(test, tasks(14)), ['etl | overlap.predicted warning']);
    const { runs } = await readFile(test, 'runs.csv', tasks(14).join('\n'));
    const { table } = collect(runs);
    assert.equal(table.count, 200);
    assert.deepEqual([table.startMs[1], table.endMs[1]], [START + 15 * 60_000, START + 29 * 60_000]);
    assert.match((await judged(test, tasks(17)))[0] ?? '', /^etl \| overlap\.observed critical/);
  });

  it('are so in whichever order they stand, and as often as they are read', async (test) => {
    const [names = '', ...rows] = tasks(14);
    const { runs } = await readFile(test, 'runs.csv', [names, ...rows.toReversed(), ...rows].join('\n'));
    const { table } = collect(runs);
    assert.equal(table.count, 200);
    const last = table.count - 2;
    assert.deepEqual([table.startMs[last], table.endMs[last]], [START + 15 * 60_000, START + 29 * 60_000]);
  });

  it('fail as a whole where a part does', async (test) => {
    const rows = tasks(14).map((row) => (row.includes('etl,b,') ? row.replace('success', 'failed') : row));
    const found = collect((await readFile(test, 'runs.csv', rows.join('\n'))).runs);
    const [subject] = subjectsOf(found);
    assert.ok(subject !== undefined);
    const context = contextOf(subject, found.table, {
      nowMs: NOW,
      window: { fromMs: START, toMs: NOW, timezone: null },
      given: null,
    });
    assert.equal(context.history.hasOnlyFailures, true);
  });

  it('of a later try are a retry of their own, hours after the first', async (test) => {
    const rows = Array.from({ length: 100 }, (_, nth) => [
      ...['lint', 'test'].map((job) => `CI,${job},${nth},1,${at(nth * 15)},${at(nth * 15 + 5)}`),
      ...(nth % 20 === 0 ? [`CI,test,${nth},2,${at(nth * 15 + 120)},${at(nth * 15 + 125)}`] : []),
    ]).flat();
    const table = ['workflow_name,job_name,run_id,run_attempt,started_at,completed_at', ...rows];
    assert.deepEqual(await judged(test, table), ['CI']);
    const { runs } = await readFile(test, 'runs.csv', table.join('\n'));
    assert.equal(collect(runs).table.count, 105);
  });

  it('are one run where each row tells only how often its part was tried', async (test) => {
    const rows = tasks(14).map((row, nth) => (nth === 0 ? `${row},try_number` : `${row},${nth % 7 === 0 ? 2 : 1}`));
    const { runs } = await readFile(test, 'runs.csv', rows.join('\n'));
    assert.equal(collect(runs).table.count, 200);
  });

  it('are none of two installations that count alike', async (test) => {
    const rows = ['prod', 'staging'].flatMap((env, nth) =>
      Array.from({ length: 100 }, (_, run) => {
        const start = run * 15 + nth * 5_000;
        return `sync,${env},${run},${at(start)},${at(start + 5)}`;
      }),
    );
    const { runs } = await readFile(test, 'runs.csv', ['job,env,id,start,end', ...rows].join('\n'));
    assert.equal(collect(runs).table.count, 200);
  });
});

describe('an id of tasks that is new in each row', () => {
  const rows = Array.from(
    { length: 100 },
    (_, nth) => `u${nth},app.sync,celery@h1,default,${at(nth * 15)},${at(nth * 15 + 1)},${at(nth * 15 + 21)},1200.0`,
  );

  it('is that of a run beside a name that comes again', async (test) => {
    const table = ['task_id,task_name,worker,queue,received,started,succeeded,runtime', ...rows];
    assert.match((await judged(test, table))[0] ?? '', /^app\.sync \| overlap\.observed critical/);
    const { runs } = await readFile(test, 'runs.csv', table.join('\n'));
    assert.deepEqual([runs[0]?.runId, runs[0]?.endedAtMs], ['u0', START + 21 * 60_000]);
    const jids = [
      'jid,class,queue,enqueued_at,started_at,finished_at',
      ...rows.map((row) => {
        const [id = '', name = '', , queue = '', received = '', started = '', ended = ''] = row.split(',');
        return [id, name, queue, received, started, ended].join(',');
      }),
    ];
    assert.match((await judged(test, jids))[0] ?? '', /^app\.sync \| overlap\.observed critical/);
  });

  it('is that of a run where each has several names, all of which stay while ids come and go', async (test) => {
    const jobs = Array.from({ length: 100 }, (_, nth) =>
      ['compile', 'unit', 'e2e'].map((job) => `${500 + nth},${job},${at(nth * 15)},${at(nth * 15 + 5)}`),
    ).flat();
    const table = ['pipeline_id,name,started_at,finished_at', ...jobs];
    assert.deepEqual(await judged(test, table), ['compile', 'unit', 'e2e']);
    const several = jobs.map((row, nth) => row.replace(/^\d+/, String(nth % 30)));
    const { runs } = await readFile(
      test,
      'runs.csv',
      ['pipeline_id,name,started_at,finished_at', ...several].join('\n'),
    );
    assert.equal(new Set(runs.map(({ workflow }) => workflow)).size, 30);
  });

  it('is one of a workflow where it comes again as the name does', async (test) => {
    const table = [
      'task_id,task_name,started,ended',
      ...rows.map((_, nth) => `7,app.sync,${at(nth * 15)},${at(nth * 15 + 5)}`),
    ];
    const { runs } = await readFile(test, 'runs.csv', table.join('\n'));
    assert.deepEqual(new Set(runs.map(({ workflow }) => workflow)), new Set(['7']));
  });
});

describe('an end', () => {
  it('is known by many names', async (test) => {
    for (const column of [
      'run_completed_at',
      'completed_at',
      'finished_on',
      'finishedOn',
      'run_ended',
      'job_completed_at',
      'executionStopTime',
      'succeeded',
    ]) {
      const { runs } = await readFile(test, 'runs.csv', `id,job,started_at,${column}\n1,dbt,${at(0)},${at(5)}\n`);
      assert.equal(runs[0]?.endedAtMs, START + 300_000, column);
    }
  });
});
