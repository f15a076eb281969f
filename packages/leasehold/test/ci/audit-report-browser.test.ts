/** The auditor's page in a real browser: it asks nobody for anything, can be read by everybody, fits, and prints. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { htmlReport } from '../../src/audit/report/html/page.ts';
import { SAMPLE } from '../audit/report/sample-report.ts';
import { openBrowser } from '../browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { viewport: { width: 1_100, height: 900 } }],
  ['dark', { viewport: { width: 1_100, height: 900 }, colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 390, height: 800 } }],
];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describe('the report as a page', () => {
  for (const [name, options] of VIEWS) {
    it(`${name}: says nothing on the console, asks for nothing, fits its width, and axe has nothing to object`, async () => {
      await using browser = await openBrowser();
      // Its own policy keeps scripts out, the one that looks at it included.
      const page = await browser.newPage({ ...options, bypassCSP: true });
      const heard = await show(page);
      await page.addScriptTag({ content: AXE });
      const violations = await page.evaluate<Violation[]>('axe.run().then((result) => result.violations)');
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
        [],
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      assert.deepEqual(heard, []);
    });
  }

  it('opens the evidence by the keyboard, and goes from a change to its workflow', async () => {
    await using browser = await openBrowser();
    const page = await browser.newPage();
    await show(page);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('details').first().getAttribute('open'), '');
    await page.locator('a').first().press('Enter');
    assert.match(page.url(), /#workflow-1$/);
  });

  it('prints on paper with the evidence open and in the colours of paper', async () => {
    await using browser = await openBrowser();
    const page = await browser.newPage({ colorScheme: 'dark' });
    await show(page);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
    assert.equal(await page.locator('details li').first().isVisible(), true);
    assert.ok((await page.pdf()).length > 10_000);
  });

  it('runs no script, not even one that somebody got into it', async () => {
    await using browser = await openBrowser();
    const page = await browser.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    const html = (await htmlReport(SAMPLE)).replace('</main>', '<script>document.title = "run"</script></main>');
    await page.setContent(html);
    assert.match(await page.title(), /^Leasehold audit/);
    assert.match(heard.join('\n'), /Content Security Policy/);
  });
});

/** Shows the sample; gathers what the page says on the console and what it asks for. */
async function show(page: Page): Promise<readonly string[]> {
  const heard: string[] = [];
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(error.message));
  page.on('request', (request) => heard.push(request.url()));
  await page.setContent(await htmlReport(SAMPLE));
  return heard;
}
