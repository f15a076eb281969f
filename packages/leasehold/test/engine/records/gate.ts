import assert from 'node:assert/strict';
import type { BeginAnswer, VerdictAnswer } from '../../../src/domain/records/record.ts';
import { WorkLines } from '../../../src/engine/records/work-lines.ts';
import type { BeginItem, VerdictItem, WorkAnswer, WorkRequest } from '../../../src/ports/record-store.ts';
import { CountingIds } from '../../../src/testing/counting-ids.ts';
import { FakeClock } from '../../../src/testing/fake-clock.ts';

export const TERMS = { timeoutMs: 5_000, retryForMs: 60_000 };

/** A call as the store got it. */
export interface Call {
  readonly verdicts: string[];
  readonly begins: string[];
  readonly timeoutMs: number | undefined;
  /** Commits, and answers what a store would. */
  commit(remainingMs?: number): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** A store that takes what it is sent, and answers when the test says so. */
export class Gate {
  readonly clock = new FakeClock();
  readonly calls: Call[] = [];
  readonly log: string[] = [];
  /** Answers nothing of what it was sent. */
  isForgetful = false;
  readonly lines: WorkLines;

  constructor(workCallsAtOnce?: number) {
    const work = (request: WorkRequest, call?: { readonly timeoutMs?: number }): Promise<WorkAnswer> =>
      new Promise((resolve, reject) => {
        this.calls.push({
          verdicts: request.verdicts.map(({ id, verdict }) => `${id} ${verdict}`),
          begins: request.begins.map(({ id }) => id),
          timeoutMs: call?.timeoutMs,
          commit: (remainingMs = 60_000) => {
            resolve(this.isForgetful ? { begins: [], verdicts: [] } : answerTo(request, remainingMs));
            return this.#turn();
          },
          fail: (error) => {
            reject(error);
            return this.#turn();
          },
        });
      });
    const note =
      (level: string) =>
      (message: string): void =>
        void this.log.push(`${level}: ${message}`);
    const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    this.lines = new WorkLines({
      store: { work, workCallsAtOnce },
      clock: this.clock,
      ids: new CountingIds(),
      logger,
    } as never);
  }

  begin(id: string, terms: Partial<Parameters<WorkLines['begin']>[2]> = {}): Promise<BeginAnswer> {
    return this.lines.begin('mails', item(id), { ...TERMS, ...terms });
  }

  done(id: string, terms: Partial<typeof TERMS> = {}): Promise<VerdictAnswer> {
    return this.lines.verdict('mails', doneItem(id), { ...TERMS, ...terms });
  }

  /** The newest call. */
  get last(): Call {
    const call = this.calls.at(-1);
    assert.ok(call !== undefined, 'nothing was sent');
    return call;
  }

  async turn(): Promise<void> {
    await this.#turn();
  }

  async #turn(): Promise<void> {
    await this.clock.advance(0);
  }
}

export function item(id: string): BeginItem {
  return { id, token: 'token' };
}

function doneItem(id: string): VerdictItem {
  return { ...item(id), verdict: 'done', providerRef: `ref-${id}`, error: null, isPermanent: false };
}

function answerTo({ pool, begins, verdicts }: WorkRequest, remainingMs: number): WorkAnswer {
  const at = new Date(0);
  return {
    begins: begins.map(({ id }) => ({
      outcome: 'accepted',
      pool,
      id,
      version: '',
      attempt: 1,
      begunAt: at,
      remainingMs,
      reason: null,
      message: 'begun',
    })),
    verdicts: verdicts.map(({ id }) => ({
      outcome: 'accepted',
      pool,
      id,
      version: '',
      state: 'done',
      notBefore: null,
      reason: null,
      message: 'done',
    })),
  };
}
