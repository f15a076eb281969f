import type { ProbeState, ProbeVerdict } from '../../domain/evidence.ts';
import type { HolderInfo } from '../../domain/lock-state.ts';
import { checkN8nProbe, type N8nProbeOptions } from '../../domain/probe-spec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Probe } from '../../ports/probe.ts';
import { fetchJson } from '../fetch-json.ts';
import { stateWord } from '../state-word.ts';

/**
 * Asks n8n's public API what became of the execution that holds a lock.
 *
 * Identity: `holderInfo.executionId`, and `workflowId` where the holder gave one: execution ids are small
 * numbers that two instances give alike. Clock: n8n's is not looked at.
 *
 * Only `success` and `error` are ends. A `canceled` execution stops at its next node and may still be
 * writing; a `crashed` one is what n8n found after a restart, while a worker may go on.
 */
const STATES: Readonly<Record<string, ProbeState>> = {
  success: 'ended',
  error: 'ended',
  running: 'alive',
  new: 'alive',
  waiting: 'alive',
};

/** Throws INVALID_ARGUMENT for options that make no sense. */
export function createN8nProbe(options: N8nProbeOptions, clock: Clock): Probe {
  const { base, apiKey } = checkN8nProbe(options);
  const headers = { 'x-n8n-api-key': apiKey };
  return {
    system: 'n8n',
    async ask({ holderInfo }, timeoutMs) {
      const id = executionId(holderInfo);
      if (id === null) return unknown('its holder names no n8n execution');
      const fetched = await fetchJson(new URL(`${base}/api/v1/executions/${id}`), { headers, timeoutMs, clock });
      return fetched.kind === 'none' ? unknown(`n8n ${fetched.why}`) : judge(id, holderInfo, fetched.value);
    },
  };
}

/** As text that stands in a path as it is. */
function executionId({ executionId: id }: HolderInfo): string | null {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null;
}

function judge(id: string, { workflowId }: HolderInfo, value: unknown): ProbeVerdict {
  const execution = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  if (String(execution['id']) !== id) return unknown('n8n answered for another execution');
  const isOther = workflowId !== undefined && workflowId !== null && workflowId !== execution['workflowId'];
  if (isOther) return unknown(`n8n execution ${id} is of another workflow`);
  const { status } = execution;
  const state = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined;
  return { state: state ?? 'unknown', detail: `n8n execution ${id} is ${stateWord(status)}` };
}

function unknown(detail: string): ProbeVerdict {
  return { state: 'unknown', detail };
}
