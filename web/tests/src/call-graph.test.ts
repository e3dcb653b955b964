import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { eventually, sample, shoot, type Stage, startStage, test } from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([
    sample('recursion/recurse.trace.json'),
    sample('pstats/cprofile.prof'),
    sample('pprof/cpu.pb.gz'),
  ]);
});
test.afterAll(() => stage.close());

async function download(page: Page, entry: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: entry }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

async function graphOf(page: Page) {
  const picture = page.locator('[data-scope=charts]');
  await picture.locator('rect[data-node]').nth(1).waitFor({ state: 'attached' });
  return picture;
}

test('functions and calls are told with their values, recursion as loops', async () => {
  const page = await stage.open('#d=0&view=charts&chart=calls', { colorScheme: 'dark' });
  const picture = await graphOf(page);
  await shoot(page, 'call-graph-recursion');
  const rows = (await download(page, 'Call graph as CSV'))
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const functions = rows.filter(([what]) => what === 'function');
  const calls = rows.filter(([what]) => what === 'call');
  assert.equal(await picture.locator('rect[data-node]').count(), functions.length);
  const total = (name: string) =>
    Number(functions.find(([, one]) => one === name)?.[5] ?? Number.NaN);
  const loops = calls.filter(([, caller, , , , , callee]) => caller === callee);
  assert.ok(loops.length >= 2, 'walk and fib call themselves');
  for (const [, caller = '', , , , , callee = '', value] of calls) {
    assert.ok(Number(value) <= Math.min(total(caller), total(callee)), `${caller} ${callee}`);
  }
  await page.getByText('all functions and calls').waitFor();
  const svg = await download(page, 'Call graph as SVG');
  // Of each call a line and the head of an arrow.
  assert.equal(svg.match(/<path /g)?.length, calls.length * 2);
});

test('wheel and drag move the drawing, a search dims what it does not find', async () => {
  const page = await stage.open('#d=2&view=charts&chart=calls');
  const picture = await graphOf(page);
  const motion = () => picture.locator('svg > g').getAttribute('transform');
  const start = await motion();
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 180, box.y + 140, { steps: 3 });
  await page.mouse.up();
  await eventually('moved', async () => (await motion()) !== start);
  const moved = await motion();
  await picture.press('+');
  await eventually('closer', async () => (await motion()) !== moved);
  await picture.press('0');
  await eventually('all of it', async () => {
    const zoom = Number((await motion())?.match(/scale\(([\d.]+)\)/)?.[1]);
    return zoom < 0.8;
  });
  const fills = () =>
    picture
      .locator('rect[data-node]')
      .evaluateAll((found) => found.map((one) => one.getAttribute('fill') ?? ''));
  const before = await fills();
  await page.keyboard.press('/');
  await page.keyboard.type('archive');
  await eventually('dimmed', async () => {
    const now = await fills();
    const changed = now.filter((fill, at) => fill !== before[at]).length;
    return changed > 0 && changed < now.length;
  });
  await shoot(page, 'call-graph-search');
});

test('a narrow window has a call graph, and estimated paths say so', async () => {
  const page = await stage.open('#d=1&view=charts&chart=calls', {
    viewport: { width: 320, height: 640 },
  });
  await graphOf(page);
  await shoot(page, 'call-graph-narrow');
  await page.getByText('calls estimated').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `the page is ${width} wide`);
  await page.getByRole('button', { name: 'What is this?' }).click();
  await page.getByRole('dialog').getByText('Call paths of this profile are estimated').waitFor();
});
