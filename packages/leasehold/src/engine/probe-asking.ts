import type { ProbeVerdict } from '../domain/evidence.ts';
import { oneLine } from '../domain/one-line.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Probe, ProbeSubject } from '../ports/probe.ts';

const DETAIL_CHARACTERS_MAX = 200;

export interface AskingParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly probes: readonly Probe[];
}

/** What is asked about, in the words of a message: `lock "job"`. */
export interface AskedWords {
  readonly of: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Asks the probe that the holder names. Never rejects: one that fails, hangs or talks nonsense is `unknown`. */
export async function askProbe(
  { clock, logger, probes }: AskingParts,
  subject: ProbeSubject,
  timeoutMs: number,
  words: AskedWords,
): Promise<ProbeVerdict> {
  const probe = probes.find((each) => each.system === subject.holderInfo['probe']);
  if (probe === undefined) return { state: 'unknown', detail: 'nobody here can ask its system' };
  const done = new AbortController();
  const late = clock.sleep(timeoutMs, done.signal).then(
    (): ProbeVerdict => ({ state: 'unknown', detail: `the ${probe.system} probe did not answer in time` }),
    (): ProbeVerdict => ({ state: 'unknown', detail: 'not asked' }),
  );
  try {
    return await Promise.race([probe.ask(subject, timeoutMs).then(checkVerdict), late]);
  } catch (error) {
    logger.warn(`The ${probe.system} probe of ${words.of} failed; its lease decides.`, { ...words.fields, error });
    return { state: 'unknown', detail: `the ${probe.system} probe failed` };
  } finally {
    done.abort();
  }
}

/** A probe may be a caller's own: what is stored of it is one short line, whatever it says. */
function checkVerdict(verdict: ProbeVerdict): ProbeVerdict {
  const isState = verdict.state === 'alive' || verdict.state === 'ended';
  const detail: unknown = verdict.detail;
  const line = oneLine(typeof detail === 'string' ? detail : '', DETAIL_CHARACTERS_MAX);
  return { state: isState ? verdict.state : 'unknown', detail: line === '' ? 'no reason given' : line };
}
