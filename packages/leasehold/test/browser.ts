import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real Chromium without a window; ended with its scope. One process for all its pages would end with the first of them. */
export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((argument) => argument !== '--single-process'),
    headless: true,
  });
}
