/** Histories as well-known tools export them, known without a word about their columns. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Recorded, readPiped, spans } from './stage.ts';

const SPANS = ['2026-03-01T10:00:00Z..10:20:00Z', '2026-03-31T11:00:00Z..11:20:00Z'];
const facts = ({ runs }: Recorded): unknown[] =>
  runs.map(({ workflow, workflowName, runId, state, result, cause }) => [
    workflow,
    workflowName,
    runId,
    state,
    result,
    cause,
  ]);

describe('a history of', () => {
  it('GitHub Actions, from its API, has the last change of a run for its end, which is said', async () => {
    const run = (id: number, started: string, updated: string, event: string, conclusion: string): object => ({
      id,
      name: 'Nightly',
      workflow_id: 12,
      event,
      status: 'completed',
      conclusion,
      created_at: started,
      run_started_at: started,
      updated_at: updated,
      actor: { login: 'x', id: 1 },
    });
    const found = await readPiped(
      JSON.stringify({
        total_count: 2,
        workflow_runs: [
          run(1, '2026-03-01T10:00:00Z', '2026-03-01T10:20:00Z', 'schedule', 'success'),
          run(2, '2026-03-31T11:00:00Z', '2026-03-31T11:20:00Z', 'workflow_dispatch', 'failure'),
        ],
      }),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(facts(found), [
      ['12', 'Nightly', '1', 'ended', 'success', 'trigger'],
      ['12', 'Nightly', '2', 'ended', 'failure', 'manual'],
    ]);
    assert.deepEqual(found.limits, [
      '"updated_at" was taken for the end of a run; where it is another instant, say --map end=COLUMN.',
    ]);
  });

  it('pg_cron, as CSV', async () => {
    const found = await readPiped(
      [
        'jobid,runid,job_pid,database,username,command,status,return_message,start_time,end_time',
        '3,71,900,app,app,call sync(),succeeded,1 row,2026-03-01 10:00:00+00,2026-03-01 10:20:00+00',
        '3,72,901,app,app,call sync(),failed,no,2026-03-31 11:00:00+00,2026-03-31 11:20:00+00',
      ].join('\n'),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(facts(found), [
      ['3', 'call sync()', '71', 'ended', 'success', 'unknown'],
      ['3', 'call sync()', '72', 'ended', 'failure', 'unknown'],
    ]);
  });

  it('Airflow, as CSV', async () => {
    const found = await readPiped(
      [
        'dag_id,run_id,state,run_type,execution_date,start_date,end_date',
        'sync,scheduled__1,success,scheduled,2026-03-01T09:00:00+00:00,2026-03-01T10:00:00+00:00,2026-03-01T10:20:00+00:00',
        'sync,manual__2,running,manual,2026-03-31T11:00:00+00:00,2026-03-31T11:00:00+00:00,',
      ].join('\n'),
    );
    assert.deepEqual(facts(found), [
      ['sync', null, 'scheduled__1', 'ended', 'success', 'trigger'],
      ['sync', null, 'manual__2', 'running', 'unknown', 'manual'],
    ]);
    assert.deepEqual(
      found.runs.map(({ slotAtMs }) => slotAtMs),
      [Date.UTC(2026, 2, 1, 9), Date.UTC(2026, 2, 31, 11)],
    );
  });

  it('AWS Step Functions, whose runs have names of their own', async () => {
    const run = (name: string, startDate: number): object => ({
      executionArn: `arn:aws:states:eu-west-1:1:execution:Sync:${name}`,
      stateMachineArn: 'arn:aws:states:eu-west-1:1:stateMachine:Sync',
      name,
      status: 'SUCCEEDED',
      startDate,
      stopDate: startDate + 1_200,
    });
    const found = await readPiped(
      JSON.stringify({
        executions: [run('a', Date.UTC(2026, 2, 1, 10) / 1_000), run('b', Date.UTC(2026, 2, 31, 11) / 1_000)],
      }),
    );
    assert.deepEqual(spans(found), SPANS);
    assert.deepEqual(
      found.runs.map(({ workflow, workflowName, result }) => [workflow, workflowName, result]),
      [1, 2].map(() => ['arn:aws:states:eu-west-1:1:stateMachine:Sync', null, 'success']),
    );
  });
});
