// Records a second and a half of feed.html: node feed.mjs CHROMIUM OUTPUT
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [executablePath, output] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
// The browser's own start is over then.
await page.waitForTimeout(2000);
await browser.startTracing(page, { categories: ['devtools.timeline', 'v8.execute'] });
await page.goto(new URL('feed.html', import.meta.url).href);
await page.waitForTimeout(1500);
writeFileSync(output, await browser.stopTracing());
await browser.close();
