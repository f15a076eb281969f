/** All that anybody gets to see of an audit, and what of a secret is in it. */
import { audit } from '../../../src/audit/audit.ts';
import { htmlReport } from '../../../src/audit/report/html/page.ts';
import { jsonPieces } from '../../../src/audit/report/json.ts';
import { terminalReport } from '../../../src/audit/report/terminal.ts';
import type { Shape } from './shapes.ts';

const NOW = Date.parse('2026-06-02T00:00:00Z');
const DAY_MS = 86_400_000;

export interface Shown {
  readonly json: string;
  readonly terminal: string;
  readonly page: string;
  /** A refusal is said there, too. */
  readonly stderr: string;
}

export async function shownOf(source: string, key?: string): Promise<Shown> {
  const said: string[] = [];
  const request = {
    sources: [source],
    window: { fromMs: NOW, toMs: NOW + 400 * DAY_MS },
    everyMs: null,
    reading: {
      nowMs: NOW,
      timezone: null,
      map: null,
      days: 30,
      env: key === undefined ? {} : { LEASEHOLD_N8N_KEY: key },
      stdin: () => {
        throw new Error('nothing is piped');
      },
      sleep: () => Promise.resolve(),
      schedule: () => ({ cancel: () => undefined }),
      warn: (line: string) => void said.push(line),
      progress: (line: string) => void said.push(line),
    },
  };
  try {
    const { report, pictures } = await audit(request);
    return {
      json: [...jsonPieces(report)].join(''),
      terminal: terminalReport(report).replaceAll(/\s+/g, ' '),
      page: await htmlReport({ report, pictures: pictures(), at: new Date(NOW) }),
      stderr: said.join('\n'),
    };
  } catch (error) {
    said.push(error instanceof Error ? error.message : String(error));
    return { json: '', terminal: '', page: '', stderr: said.join('\n') };
  }
}

/** Half a key is half the work of guessing it. */
const PART_MIN = 8;
const AROUND = 60;

/** Where a secret, or the first half of one, is to be seen. */
export function leaksIn(shown: Shown, { name, secrets }: Shape): string[] {
  return Object.entries(shown).flatMap(([where, text]: readonly [string, string]) =>
    secrets.flatMap((secret) => {
      const part = secret.slice(0, Math.max(PART_MIN, Math.ceil(secret.length / 2))).toLowerCase();
      const at = text.toLowerCase().indexOf(part);
      return at === -1 ? [] : [`${name}: ${where}: …${text.slice(Math.max(0, at - AROUND), at + AROUND)}…`];
    }),
  );
}
