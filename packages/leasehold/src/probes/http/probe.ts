import type { ProbeVerdict } from '../../domain/evidence.ts';
import { checkHttpProbe, type HttpProbeOptions } from '../../domain/probe-spec.ts';
import { fillTemplate } from '../../domain/url-template.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Probe } from '../../ports/probe.ts';
import { fetchJson } from '../fetch-json.ts';
import { stateWord } from '../state-word.ts';

/**
 * Asks any system that tells by HTTP, as JSON, what became of a run. What to ask and what its words mean is
 * configured; nothing of where to ask comes from the holder, whose row anybody may have written.
 *
 * Identity: what the template puts into the URL, percent-encoded. Clock: none.
 * Throws INVALID_ARGUMENT for options that make no sense.
 */
export function createHttpProbe(options: HttpProbeOptions, clock: Clock): Probe {
  const { template, headers, path, alive, ended } = checkHttpProbe(options);
  return {
    system: 'http',
    async ask(subject, timeoutMs): Promise<ProbeVerdict> {
      const url = fillTemplate(template, subject);
      if (url === null) return unknown("what its holder says can't stand in the URL to ask");
      const fetched = await fetchJson(url, { headers, timeoutMs, clock });
      if (fetched.kind === 'none') return unknown(`its system ${fetched.why}`);
      const value = valueAt(fetched.value, path);
      const word = wordOf(value);
      const detail = `its system says ${stateWord(value)}`;
      if (word === null) return unknown('its system says nothing of its state');
      if (ended.has(word)) return { state: 'ended', detail };
      return { state: alive.has(word) ? 'alive' : 'unknown', detail };
    },
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

/** `true`, `3` and `"3"` are written in the configuration as text; an object is no state. */
function wordOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : null;
}

function unknown(detail: string): ProbeVerdict {
  return { state: 'unknown', detail };
}
