import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { eventually, hashOf, sample, shoot, type Stage, startStage, test } from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('recursion/recurse.trace.json'), sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

async function download(page: Page, entry: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: entry }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

async function treemapOf(page: Page) {
  const picture = page.locator('[data-scope=charts]');
  await picture.locator('rect[data-node]').nth(1).waitFor({ state: 'attached' });
  return picture;
}

/** Name, level, self and total of every box, in the order in which they are drawn. */
async function boxes(page: Page) {
  const [, ...lines] = (await download(page, 'Treemap as CSV')).trim().split('\n');
  return lines.map((line) => {
    const [level, name = '', file, module, others, self, total] = line.split(',');
    return {
      level: Number(level),
      name,
      file,
      module,
      others: Number(others),
      self: Number(self),
      total: Number(total),
    };
  });
}

/** The areas of the boxes, in the order in which they are drawn. */
async function areas(page: Page): Promise<number[]> {
  return page
    .locator('rect[data-node]')
    .evaluateAll((found) =>
      found.map((one) => Number(one.getAttribute('width')) * Number(one.getAttribute('height'))),
    );
}

test('areas of modules, files and functions are their self', async () => {
  const page = await stage.open('#d=1&view=charts&chart=treemap&shape=flat');
  const picture = await treemapOf(page);
  await shoot(page, 'treemap-flat');
  const told = await boxes(page);
  const drawn = await areas(page);
  assert.equal(drawn.length, told.length);
  // Modules stand in one box: the same area for the same self.
  const modules = told.map((one, at) => ({ ...one, area: drawn[at]! }));
  const scale = (one: { area: number; self: number }) => one.area / one.self;
  const [first, ...others] = modules.filter(({ level }) => level === 1);
  assert.ok(first !== undefined);
  for (const other of others) {
    // Places are rounded to a hundredth of a pixel.
    const off = Math.abs(scale(other) / scale(first) - 1);
    assert.ok(off < 0.02, `${other.name} has ${scale(other)} and not ${scale(first)} for one`);
  }
  const sum = (level: number) =>
    told.filter((one) => one.level === level).reduce((all, one) => all + one.self, 0);
  assert.equal(sum(1), told[0]!.total);
  // Larger shares, fewer boxes: and what is together says so.
  await page.getByRole('button', { name: /^Boxes from/ }).click();
  await page.getByRole('menuitemradio', { name: '2 %', exact: true }).click();
  await eventually(
    'fewer',
    async () => (await picture.locator('rect[data-node]').count()) < told.length,
  );
  assert.equal(hashOf(page).get('cut'), '20');
  await picture
    .getByText(/^\d+ smaller/)
    .first()
    .waitFor();
  await page.getByText(/too small, drawn together$/).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  await shoot(page, 'treemap-narrow');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `the page is ${width} wide`);
  await eventually(
    'boxes in little room',
    async () => (await picture.locator('rect[data-node]').count()) > 3,
  );
});

test('a double click goes in, and what is saved is what is drawn', async () => {
  const page = await stage.open('#d=0&view=charts&chart=treemap', { colorScheme: 'dark' });
  const picture = await treemapOf(page);
  await shoot(page, 'treemap-dark');
  await eventually('drawn', async () => (await page.locator('.treemap .busy').count()) === 0);
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  await page.mouse.dblclick(box.x + box.width / 3, box.y + box.height / 2);
  await eventually('another root', () => hashOf(page).has('z'));
  // What is saved is what is drawn.
  await eventually('drawn', async () => (await page.locator('.treemap .busy').count()) === 0);
  const svg = await download(page, 'Treemap as SVG');
  const rects = (svg.match(/<rect /g)?.length ?? 0) - 1;
  assert.equal(rects, await picture.locator('rect[data-node]').count());
});
