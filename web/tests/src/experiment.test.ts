import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { problems } from './axe.ts';
import {
  binary,
  eventually,
  hashOf,
  sample,
  shoot,
  type Stage,
  startStage,
  test,
} from './harness.ts';

const RESULT = sample('hotframe/experiment.hotframe');

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([RESULT, sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

interface Cell {
  readonly cell: string;
  readonly mean: number;
  readonly runs: number;
}

/** What a command tells. */
function told(...words: readonly string[]): readonly Cell[] {
  const json = execFileSync(binary(), ['experiment', ...words, '--format', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(json) as { readonly cells: readonly Cell[] }).cells;
}

async function matrixOf(page: Page) {
  const matrix = page.getByRole('grid');
  await matrix.getByRole('gridcell').first().waitFor();
  return matrix;
}

/** `1.23 s` in seconds. */
function seconds(text: string): number {
  const [, value, unit] = /^([\d.]+) (s|ms)/.exec(text) ?? [];
  return Number(value) * (unit === 's' ? 1 : 1e-3);
}

test('a result opens with its matrix, whose numbers are those of the terminal', async () => {
  const page = await stage.open('#d=0');
  const matrix = await matrixOf(page);
  const rows = told('summary', RESULT);
  const cells = await matrix.getByRole('gridcell').all();
  assert.equal(cells.length, rows.length);
  const shown = new Map<string, readonly [string, string]>();
  for (const cell of cells) {
    const title = (await cell.getAttribute('title')) ?? '';
    const mean = await cell.locator('.value b').innerText();
    shown.set(title.split('\n')[0]!, [mean, await cell.locator('.runs').innerText()]);
  }
  for (const { cell, mean, runs } of rows) {
    const [text, ran] = shown.get(cell) ?? ['', ''];
    const off = Math.abs(seconds(text) - mean / 1e9) / (mean / 1e9);
    assert.ok(off < 0.005, `${cell}: ${text} is ${mean} ns`);
    assert.match(ran, new RegExp(`^${runs} runs?`));
  }
  await shoot(page, 'experiment-matrix');
  const other = await stage.open('#d=1&view=experiment');
  await other.getByRole('tree', { name: 'Flame graph' }).waitFor();
  assert.equal(await other.locator('.experiment').count(), 0);
});

test('with keys: a cell, then another, compares them; Escape lets go', async () => {
  const page = await stage.open('#d=0');
  const matrix = await matrixOf(page);
  await matrix.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.differences .whole').waitFor();
  const title = async (at: number) =>
    ((await matrix.getByRole('gridcell').nth(at).getAttribute('title')) ?? '').split('\n')[0];
  const columns = await matrix.locator('thead tr').last().locator('th').count();
  assert.equal(await page.locator('.differences h2 .base').innerText(), await title(0));
  assert.equal(await page.locator('.differences h2 .new').innerText(), await title(columns));
  await page.keyboard.press('Escape');
  await eventually('nothing', async () => (await page.locator('.differences').count()) === 0);

  // A row of cells, and the next one.
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  const both = page.locator('.differences h2 b');
  await eventually('both', async () => (await both.count()) === 2);
  assert.deepEqual(await both.allInnerTexts(), ['seconds=0.2', 'seconds=0.4']);
});

test('a drag chooses a group; the functions are those of the terminal, and a click chooses one', async () => {
  const page = await stage.open('#d=0');
  const matrix = await matrixOf(page);
  const cells = matrix.getByRole('gridcell');
  const drag = async (from: number, to: number) => {
    const [one, other] = [await cells.nth(from).boundingBox(), await cells.nth(to).boundingBox()];
    await page.mouse.move(one!.x + 30, one!.y + 20);
    await page.mouse.down();
    await page.mouse.move(other!.x + 40, other!.y + 20, { steps: 5 });
    await page.mouse.up();
  };
  await drag(0, 1);
  await drag(3, 2);
  const rows = page.locator('.differences tbody tr');
  await rows.first().waitFor();
  const text = execFileSync(
    binary(),
    ['experiment', 'compare', '--format', 'json', RESULT, 'seconds=0.2', '--', 'seconds=0.4'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const names = await rows.locator('th').allInnerTexts();
  for (const name of names.slice(0, 3)) assert.ok(text.includes(`"${name}"`), name);
  const hashing = rows.filter({ hasText: 'hashing' });
  assert.match(await hashing.innerText(), /\[\+\]/);
  await hashing.getByRole('button').click();
  assert.notEqual(hashOf(page).get('fn'), null);
  await eventually('on', async () => /\bon\b/.test((await hashing.getAttribute('class')) ?? ''));
  // The function in all cells.
  await page.getByRole('button', { name: /^Of:/ }).click();
  await page.getByRole('menuitemradio', { name: /^Self of hashing/ }).click();
  await eventually('of it', async () => /hashing/.test(await page.locator('.caption').innerText()));
  await shoot(page, 'experiment-differences');
});

test('both sides open as one comparison, whose values are means of the runs of either', async () => {
  const page = await stage.open('#d=0&xbase=0.1&xnew=2.3');
  const row = page.locator('.differences tbody tr', { hasText: 'hashing' }).first();
  await row.waitFor();
  const [by, q] = [4, 6].map((column) => row.locator('td, th').nth(column));
  const told = [await by!.innerText(), await q!.innerText()] as const;
  await page.getByRole('button', { name: 'Compare as profiles' }).click();
  await page.locator('.sides').waitFor();
  assert.equal(hashOf(page).get('view'), 'flame');
  await page.getByRole('tree', { name: 'Flame graph' }).waitFor();
  assert.equal(await page.locator('.experiment').count(), 0);
  // What its runs told of a function stands in its details.
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('hashing');
  await search.press('Enter');
  const line = page.locator('.details .over-runs');
  await line.waitFor();
  const text = await line.innerText();
  assert.ok(text.startsWith(`self CPU time over runs: ${told[0]}, 95 % interval `), text);
  assert.ok(text.endsWith(`q ${told[1]}`), text);
});

test('effects, histories and runs', async () => {
  const page = await stage.open('#d=0&xp=effects');
  const effects = page.locator('.effects tbody tr');
  await effects.first().waitFor();
  const seconds = effects.filter({ hasText: 'seconds=0.4 against 0.2' });
  assert.match(await seconds.innerText(), /more/);
  await seconds.getByRole('button').click();
  await page.locator('.differences .whole').waitFor();
  assert.deepEqual(await page.locator('.differences h2 b').allInnerTexts(), [
    'seconds=0.2',
    'seconds=0.4',
  ]);
  await page.getByRole('radio', { name: 'History' }).click();
  const jump = page.locator('.experiment .changes button');
  const steps = page.locator('.history-plot .step');
  await steps.first().waitFor();
  assert.equal(await steps.count(), 4);
  await jump.first().waitFor();
  assert.match(await jump.first().innerText(), /0\.2 → 0\.4/);
  await jump.first().click();
  await eventually('a cell each', async () => hashOf(page).get('xbase')?.length === 1);
  await shoot(page, 'experiment-history');
  await page.getByRole('radio', { name: 'Runs' }).click();
  const run = page.locator('.run-list tbody button').first();
  await run.click();
  await page.locator('.facts').waitFor();
  assert.match(await page.locator('.facts').innerText(), /wall time/);
});

test('a matrix is saved as picture and table, turned, and kept over a reload', async () => {
  const page = await stage.open('#d=0&xbase=0&xnew=2');
  await page.locator('.differences .whole').waitFor();
  const save = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return readFileSync((await download.path())!, 'utf8');
  };
  assert.match(await save(/^Matrix as SVG/), /^<svg.*wall time/s);
  const rows = told('summary', RESULT);
  assert.equal((await save(/^Matrix as CSV/)).trim().split('\n').length, rows.length + 1);
  assert.match(await save(/^Differences as CSV/), /hashing/);
  await matrixOf(page);
  const corner = page.locator('.matrix thead th').first();
  const before = await corner.innerText();
  await page.getByRole('button', { name: /^Rows:/ }).click();
  await page.getByRole('menuitemradio').filter({ hasNotText: before }).first().click();
  await eventually('turned', async () => (await corner.innerText()) !== before);
  await page.reload();
  await page.locator('.differences .whole').waitFor();
  assert.notEqual(await corner.innerText(), before);
  assert.equal(await page.locator('.matrix .cell.base').count(), 1);
});

test('everything can be read and heard, and a narrow window scrolls only within the tables', async () => {
  const page = await stage.open('#d=0');
  await page.evaluate(axe.source);
  for (const hash of [
    '#d=0&xbase=0&xnew=2',
    '#d=0&xp=effects',
    '#d=0&xp=history',
    '#d=0&xp=runs',
  ]) {
    await page.evaluate((text) => {
      location.hash = text;
    }, hash);
    await page.locator('.experiment :is(table, .history-plot)').first().waitFor();
    await eventually('idle', async () => (await page.locator('.busy').count()) === 0);
    assert.deepEqual(await problems(page), [], hash);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  await page.evaluate(() => {
    location.hash = '#d=0&xbase=0&xnew=2';
  });
  await page.locator('.differences .whole').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide}`);
  await shoot(page, 'experiment-narrow');
});
