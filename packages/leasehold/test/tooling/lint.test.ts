/**
 * Negative control of the linter: the rules that this project leans on are seen to fire, with the
 * project's own configuration. A linter that lost its types would pass everything.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../../../..');

const folder = mkdtempSync(join(tmpdir(), 'lint-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const file of ['.oxlintrc.json', 'tsconfig.base.json']) copyFileSync(join(ROOT, file), join(folder, file));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
writeFileSync(join(folder, 'tsconfig.json'), '{"extends":"./tsconfig.base.json","include":["*.ts"]}');

const OFFENCES: Record<string, string> = {
  'typescript(no-floating-promises)': 'export function f(work: () => Promise<void>): void { work(); }',
  'typescript(no-misused-promises)':
    'export function f(work: () => Promise<boolean>): number { return work() ? 1 : 2; }',
  'typescript(return-await)':
    'export async function f(g: () => Promise<void>): Promise<void> { try { return g(); } catch { return; } }',
  'typescript(await-thenable)': 'export async function f(n: number): Promise<number> { return await n; }',
  'typescript(switch-exhaustiveness-check)':
    "export function f(o: 'held' | 'lost'): number { switch (o) { case 'held': return 1; } return 2; }",
  'typescript(only-throw-error)': "export function f(): never { throw 'text'; }",
  'typescript(no-unsafe-assignment)': "export const a: { b: number } = JSON.parse('{}');",
  'typescript(no-non-null-assertion)': 'export const f = (a: number | null): number => a! + 1;',
  'eslint(max-lines-per-function)': `export function f(): number {\n${'  void 0;\n'.repeat(69)}  return 1;\n}`,
  'import(no-default-export)': 'export default 1;',
};

const IN_ORDER = "import { describe, it } from 'node:test';\ndescribe('a', () => {\n  it('b', async () => {});\n});\n";

/** The rules that each file breaks, by its text; one run of the linter for all of them. */
function rulesBroken(texts: readonly string[]): Map<string, string[]> {
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `subject-${index}.ts`), text);
  const linted = spawnSync('oxlint', ['--format=json', '.'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const { diagnostics } = JSON.parse(linted.stdout) as { diagnostics: { code: string; filename: string }[] };
  const broken = (index: number): string[] =>
    diagnostics.filter(({ filename }) => filename.endsWith(`subject-${index}.ts`)).map(({ code }) => code);
  return new Map(texts.map((text, index) => [text, broken(index)]));
}

const broken = rulesBroken([...Object.values(OFFENCES), IN_ORDER]);

for (const [rule, text] of Object.entries(OFFENCES)) {
  test(`the linter finds ${rule}`, () => assert.ok(broken.get(text)?.includes(rule), broken.get(text)?.join()));
}

test('the linter lets pass what is in order, and the promises that node:test awaits itself', () => {
  assert.deepEqual(broken.get(IN_ORDER), []);
});
