import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Finding } from '../../src/domain/doctor.ts';

/** Something that says a sentence, or throws one, and the sentence, word for word. */
export type Said = readonly [say: () => unknown, sentence: string];

/** Registers a test for each: whoever searches the source for a sentence that a user quotes finds it here, too. */
export function assertSaid(all: readonly Said[]): void {
  for (const [say, sentence] of all) it(sentence, async () => assert.equal(await sentenceOf(say), sentence));
}

/** What was found of this check; of several, the last. */
export function found(findings: readonly Finding[], check: string): string {
  return findings.findLast((finding) => finding.check === check)?.message ?? `nothing of ${check}`;
}

async function sentenceOf(say: () => unknown): Promise<unknown> {
  let said: unknown;
  try {
    said = await say();
  } catch (error) {
    said = error;
  }
  return said instanceof Error ? said.message : said;
}
