import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import {
  binary,
  eventually,
  flameOf,
  hashOf,
  pageFolder,
  PATIENCE_MS,
  sample,
  shoot,
  type Stage,
  startBrowser,
  startStage,
  test,
} from './harness.ts';

/** Reports that the page writes, opened as files without a network. */
let browser: Browser;
let stage: Stage;
let folder: string;
const problems: string[] = [];
const PERF = sample('collapsed/perf.collapsed');

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  browser = await startBrowser();
  stage = await startStage([PERF, sample('runs/before-1.pb.gz'), sample('runs/after-1.pb.gz')]);
});
test.afterAll(async () => {
  await stage.close();
  await browser.close();
  rmSync(folder, { recursive: true });
  assert.deepEqual(problems, [], 'a report reported problems');
});

async function openFile(file: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 860 } });
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(pathToFileURL(file).href);
  return page;
}

interface Wanted {
  readonly note?: string;
  readonly replaced?: string;
  readonly picture?: string;
}

/** Saves what a page shows as a report, and gives the file. */
async function saved(page: Page, { note, replaced, picture }: Wanted): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Report as one page…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report as one page' });
  if (note !== undefined) await dialog.getByLabel('Note').fill(note);
  if (replaced !== undefined) {
    await dialog.getByLabel('Anonymise').selectOption(replaced);
  }
  if (picture !== undefined) await shoot(page, picture);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const file = path.join(folder, (await download).suggestedFilename());
  await (await download).saveAs(file);
  await dialog.waitFor({ state: 'detached' });
  return file;
}

/** What a screen reader says of the frames. */
async function framesOf(page: Page): Promise<readonly string[]> {
  const flame = await flameOf(page);
  return flame.locator('[role=treeitem]').allTextContents();
}

test('a view becomes a report, with a note', async () => {
  const page = await stage.open('#d=0&shape=bottom_up&q=a');
  const seen = await framesOf(page);
  const note = 'Look at <b>malloc</b> & friends.\nSecond line.';
  const file = await saved(page, { note, picture: 'report-dialog' });
  const report = await openFile(file);
  assert.deepEqual(await framesOf(report), seen);
  assert.equal(hashOf(report).get('shape'), 'bottom_up');
  assert.equal(hashOf(report).get('q'), 'a');
  await report.getByRole('alert').getByText('Look at <b>malloc</b> & friends.').waitFor();
  await report.getByRole('button', { name: 'Export' }).click();
  assert.equal(await report.getByRole('menuitem', { name: 'Report as one page…' }).count(), 0);
  await report.getByRole('menuitem', { name: 'About this report…' }).click();
  const about = report.getByRole('dialog', { name: 'About this report' });
  assert.equal(await about.locator('.note').innerText(), note);
  await about.getByText('perf.collapsed: the file as it is').waitFor();
  await shoot(report, 'report-about');
  await report.close();
  await page.close();
});

test('a comparison that the page made brings both sides', async () => {
  const page = await stage.open('#d=1');
  await flameOf(page);
  await page.getByRole('button', { name: /^Document/ }).click();
  await page
    .getByRole('menuitem', { name: /Compare with .*after-1/ })
    .first()
    .click();
  await eventually('a comparison', async () => /→/.test(await page.title()));
  const seen = await framesOf(page);
  const report = await openFile(await saved(page, {}));
  await eventually('the comparison', async () => /→/.test(await report.title()));
  assert.deepEqual(await framesOf(report), seen);
  assert.equal(await report.title(), await page.title());
  await report.close();
  await page.close();
});

test('a graph brings what was laid over it', async () => {
  const times = ['--measured', sample('sdfg/reports/heat.timed-0.json')];
  const measured = await startStage([sample('sdfg/dace-1.0.2/heat.timed.sdfgz'), ...times]);
  const page = await measured.open('#gd=2');
  const legend = page.getByLabel('Legend of boxes');
  await legend.waitFor();
  const told = await legend.textContent();
  const file = await saved(page, {});
  await measured.close();
  const report = await openFile(file);
  await report.getByLabel('Legend of boxes').waitFor();
  assert.match(hashOf(report).get('gn') ?? '', /^measured:/);
  assert.equal(await report.getByLabel('Legend of boxes').textContent(), told);
  await shoot(report, 'report-graph-measured');
  await report.close();
});

test('the page without a server writes reports, too, with names replaced', async () => {
  const page = await openFile(path.join(pageFolder(), 'index.html'));
  await page.getByLabel('Open files').setInputFiles(sample('runs/before-1.pb.gz'));
  await flameOf(page);
  await page.getByLabel('Open files').setInputFiles(PERF);
  await eventually('the second file', async () => (await page.title()).startsWith('perf'));
  const seen = await framesOf(page);
  const file = await saved(page, { replaced: 'names' });
  assert.equal(path.basename(file), 'report.html');
  const report = await openFile(file);
  const anonymous = await framesOf(report);
  assert.equal(anonymous.length, seen.length);
  const figures = (texts: readonly string[]) => texts.map((text) => text.match(/[\d.,]+ ?%/g));
  assert.deepEqual(figures(anonymous).slice(0, 1), figures(seen).slice(0, 1));
  const words = ['show', PERF, '--view', 'flat', '--format', 'json'];
  const { rows } = JSON.parse(execFileSync(binary(), words, { encoding: 'utf8' })) as {
    readonly rows: readonly { readonly function: string }[];
  };
  const names = rows.map((row) => row.function).filter((name) => name.length > 6);
  assert.ok(names.length > 3);
  for (const name of names) {
    assert.ok(!anonymous.some((text) => text.includes(name)), `${name} is still there`);
  }
  const [, data = ''] = /id="hotframe-data-0">([^<]+)</.exec(readFileSync(file, 'utf8')) ?? [];
  const unpacked = execFileSync('gzip', ['-dc'], { input: Buffer.from(data, 'base64') });
  for (const name of names) assert.ok(!unpacked.includes(name), `${name} is in the file`);
  await report.close();
  await page.close();
});

test('a report without its end says so', async () => {
  const whole = path.join(folder, 'whole.html');
  execFileSync(binary(), ['export', PERF, '-o', whole]);
  const bytes = readFileSync(whole);
  for (const [name, missing] of [
    ['end', 100],
    ['data', 2000],
  ] as const) {
    const file = path.join(folder, `cut-${name}.html`);
    writeFileSync(file, bytes.subarray(0, bytes.length - missing));
    const page = await openFile(file);
    await page.getByText('This report is not whole').waitFor();
    await page.close();
  }
});

test('metrics by formula, and tables sorted by them, go along', async () => {
  const page = await stage.open('#d=1');
  await flameOf(page);
  const formula = async (text: string) => {
    await page.keyboard.press('M');
    await page.getByRole('textbox', { name: 'Formula' }).fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await formula('cpu / samples');
  await formula('cpu + 1 ms');
  // Two are measured; the first formula is not the one that is shown.
  await page.goto(`${page.url().split('#')[0]}#d=1&view=table&sort=self_value.2.r`);
  await page.reload();
  const rows = (of: Page) => of.locator('.table .row').allInnerTexts();
  await page.locator('.table .row').nth(3).waitFor();
  const seen = await rows(page);
  const report = await openFile(await saved(page, {}));
  await report.locator('.table .row').nth(3).waitFor();
  assert.deepEqual(await rows(report), seen);
  await report.close();
  await page.close();
});
