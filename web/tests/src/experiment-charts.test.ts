import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Locator, Page } from '@playwright/test';
import { problems } from './axe.ts';
import {
  binary,
  eventually,
  flameOf,
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
  stage = await startStage([RESULT]);
});
test.afterAll(() => stage.close());

interface Cell {
  readonly cell: string;
  readonly mean: number;
  readonly runs: number;
}

/** The means of the metric in all cells, as the terminal has them. */
function means(): readonly Cell[] {
  const words = ['experiment', 'summary', RESULT, '--metric', 'CPU time', '--format', 'json'];
  const json = execFileSync(binary(), words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(json) as { readonly cells: readonly Cell[] }).cells;
}

/** The charts, once all are drawn. */
async function chartsOf(page: Page): Promise<Locator> {
  const charts = page.getByRole('grid', { name: /^Charts by cell/ }).locator('.chart-cell');
  await eventually('all charts', async () => {
    const drawn = await charts.locator('svg :is(rect, path, circle)').count();
    const svgs = await charts.locator('svg').count();
    return svgs > 0 && svgs === (await charts.count()) && drawn >= svgs;
  });
  return charts;
}

async function widthOf(box: Locator): Promise<number> {
  return (await box.boundingBox())!.width;
}

test('flame graphs of all cells are as wide as the means of their runs', async () => {
  const page = await stage.open('#d=0');
  await page.getByRole('radio', { name: 'Charts by cell' }).click();
  const charts = await chartsOf(page);
  const cells = means();
  assert.equal(await charts.count(), cells.length);
  const most = Math.max(...cells.map(({ mean }) => mean));
  const widths = new Map<string, number>();
  for (const chart of await charts.all()) {
    const title = await chart.locator('.title').innerText();
    widths.set(title, await widthOf(chart.locator('svg rect').first()));
  }
  const full = Math.max(...widths.values());
  for (const { cell, mean } of cells) {
    const off = widths.get(cell)! / full - mean / most;
    assert.ok(Math.abs(off) < 0.02, `${cell}: ${widths.get(cell)} of ${full}, ${mean} of ${most}`);
  }
  assert.match(
    await page.locator('.cell-charts .caption').first().innerText(),
    /means of the runs/,
  );
  assert.equal(hashOf(page).get('xp'), 'charts');
  await shoot(page, 'experiment-charts');
});

test('a function is lit in every cell, with what a run takes of it', async () => {
  const page = await stage.open('#d=0&xp=charts');
  const charts = await chartsOf(page);
  const name = charts.first().locator('svg text', { hasText: /^hashing/ });
  await name.first().hover({ force: true });
  const lit = charts.locator('.lit code');
  await eventually('lit', async () => (await lit.count()) === (await charts.count()));
  const told = page.locator('.pointed');
  const means_ = /total [\d.]+ m?s \([\d.]+ %\), self [\d.]+ m?s \([\d.]+ %\) a run/;
  assert.match(await told.innerText(), means_);
  // The function's total is what the terminal has in that cell.
  const words = ['experiment', 'summary', RESULT, '--function', 'hashing', '--total'];
  const json = execFileSync(binary(), [...words, '--metric', 'CPU time', '--format', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const cells = (JSON.parse(json) as { readonly cells: readonly Cell[] }).cells;
  for (const chart of await charts.all()) {
    const title = await chart.locator('.title').innerText();
    const [, value, unit] = /([\d.]+) (m?s),/.exec(await chart.locator('.lit').innerText())!;
    const { mean } = cells.find(({ cell }) => cell === title)!;
    const shown = Number(value) * (unit === 's' ? 1e9 : 1e6);
    assert.ok(Math.abs(shown / mean - 1) < 0.01, `${title}: ${shown} is ${mean} ns`);
  }
  await name.first().click({ force: true });
  await eventually('chosen', () => hashOf(page).get('fn') !== null);
  await page.mouse.move(1, 1);
  assert.equal(await lit.count(), await charts.count());
  await charts.first().locator('.title').focus();
  await page.keyboard.press('Escape');
  await eventually('let go', async () => (await lit.count()) === 0);
});

test('with keys from cell to cell, and into the runs of one', async () => {
  const page = await stage.open('#d=0&xp=charts');
  const charts = await chartsOf(page);
  const columns = await page.locator('.charts-by-cell thead tr').last().locator('th').count();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const title = (at: number) => charts.nth(at).locator('.title').innerText();
  await charts.first().locator('.title').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), await title(1));
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), await title(columns + 1));
  await page.keyboard.press('Home');
  assert.equal(await focused(), await title(0));
  const cell = await title(0);
  await page.keyboard.press('Enter');
  const flame = await flameOf(page);
  assert.match(hashOf(page).get('f') ?? page.url(), /member/);
  // The whole of that profile is all of its runs.
  const { mean, runs } = means().find((one) => one.cell === cell)!;
  const whole = await flame.innerText();
  const [, value, unit] = /([\d.]+) (m?s)/.exec(whole) ?? [];
  const shown = Number(value) * (unit === 's' ? 1e9 : 1e6);
  assert.ok(Math.abs(shown / (mean * runs) - 1) < 0.01, `${whole}: ${mean} in ${runs} runs`);
  await page.goBack();
  await chartsOf(page);
});

test('other charts have one scale, too; the address keeps which', async () => {
  const page = await stage.open('#d=0&xp=charts');
  await chartsOf(page);
  const areas = means();
  const most = Math.max(...areas.map(({ mean }) => mean));
  for (const kind of ['Treemap', 'Sunburst'] as const) {
    await page.getByRole('radio', { name: kind }).click();
    await page
      .getByRole('img', { name: new RegExp(`^${kind} of`) })
      .first()
      .waitFor();
    const charts = await chartsOf(page);
    const sizes = new Map<string, number>();
    for (const chart of await charts.all()) {
      const box = await chart.locator('svg :is(rect, path)').first().boundingBox();
      if (kind === 'Treemap') {
        sizes.set(await chart.locator('.title').innerText(), box!.width * box!.height);
      } else {
        // The outermost ring need not go all the way round: what is asked for is the middle.
        sizes.set(await chart.locator('.title').innerText(), box!.width ** 2);
      }
    }
    const full = Math.max(...sizes.values());
    for (const { cell, mean } of areas) {
      const off = sizes.get(cell)! / full - mean / most;
      assert.ok(Math.abs(off) < 0.04, `${kind}, ${cell}: ${off}`);
    }
    if (kind === 'Treemap') {
      // Figures are those of a run.
      const texts = await charts.first().locator('svg text').allTextContents();
      const whole = await charts.first().locator('.runs b').innerText();
      assert.ok(texts.includes(whole), `${whole} in ${texts.join(', ')}`);
    }
    await shoot(page, `experiment-charts-${kind.toLowerCase()}`);
  }
  await page.getByRole('radio', { name: 'Bars' }).click();
  await page.locator('.chart-cell svg text', { hasText: 'hashing' }).first().waitFor();
  assert.equal(hashOf(page).get('xchart'), 'bars');
  assert.equal(await page.getByRole('radio', { name: 'Scatter' }).count(), 0);
  await page.reload();
  await page.locator('.chart-cell svg text', { hasText: 'hashing' }).first().waitFor();
  await shoot(page, 'experiment-charts-bars');
});

test('the sheet is saved as picture and table', async () => {
  const page = await stage.open('#d=0&xp=charts');
  await chartsOf(page);
  const save = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return readFileSync((await download.path())!);
  };
  const svg = (await save(/^Charts by cell as SVG/)).toString();
  const cells = means();
  assert.equal(svg.match(/<g /g)?.length, cells.length);
  for (const { cell } of cells) assert.ok(svg.includes(cell), cell);
  const png = await save(/^Charts by cell as PNG/);
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')]);
  const csv = (await save(/^Charts by cell as CSV/)).toString();
  const all = csv.split('\n').filter((line) => line.includes(',all,'));
  assert.equal(all.length, cells.length);
  for (const { mean } of cells) {
    const is = (line: string) => Math.abs(Number(line.split(',').at(-2)) - mean) < 1;
    assert.ok(all.some(is), `${mean} in ${all.join('; ')}`);
  }
  const effects = (await save(/^Effects as CSV/)).toString();
  assert.match(effects, /\nwall time,seconds,0\.2,0\.4,/);
  const runs = (await save(/^Runs as CSV/)).toString();
  assert.equal(runs.match(/^seconds=/gm)?.length, 16);
  assert.match(runs, /^name,seconds,interpreter,trouble,.*wall time/);
});

test('charts can be read and heard, and a narrow window scrolls only within them', async () => {
  const page = await stage.open('#d=0&xp=charts');
  await chartsOf(page);
  await page.evaluate(axe.source);
  assert.deepEqual(await problems(page), []);
  await page.setViewportSize({ width: 320, height: 700 });
  await chartsOf(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide}`);
  await shoot(page, 'experiment-charts-narrow');
});
