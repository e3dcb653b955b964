import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { binary, eventually, type Stage, sample, shoot, startStage, test } from './harness.ts';

const BEFORE = [1, 2, 3, 4, 5].map((run) => sample(`runs/before-${run}.pb.gz`));
const AFTER = [1, 2, 3, 4, 5].map((run) => sample(`runs/after-${run}.pb.gz`));

let stage: Stage;
let compared: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/cpu.pb.gz')]);
  compared = await startStage(AFTER, ['diff', '--open', '--base', ...BEFORE, '--new']);
});
test.afterAll(async () => {
  await stage.close();
  await compared.close();
});

const rows = (page: Page) => page.locator('.table .row');
const names = (page: Page) => page.locator('.table .row .name b').allTextContents();
const heads = (page: Page) => page.locator('.table [role=columnheader]').allTextContents();

async function openList(of: Stage, hash = '#view=table'): Promise<Page> {
  const page = await of.open(hash);
  await rows(page).first().waitFor();
  return page;
}

/** The names of the command line's list of functions. */
function listed(...options: string[]): string[] {
  const file = sample('pprof/cpu.pb.gz');
  const text = execFileSync(binary(), ['show', file, '-n', '12', '--format', 'json', ...options], {
    encoding: 'utf8',
  });
  const { rows: found } = JSON.parse(text) as { rows: { function: string }[] };
  return found.map((row) => row.function);
}

/** A name as the page may have cut it. */
function sameName(shown: string, name: string): boolean {
  const [front, back] = shown.split('…');
  return back === undefined ? shown === name : name.startsWith(front!) && name.endsWith(back);
}

test('the table begins with the functions, self and total side by side', async () => {
  const page = await openList(stage);
  assert.deepEqual(await heads(page), [
    'Function',
    'cpu self ▾',
    'cpu total',
    'samples self',
    'samples total',
  ]);
  for (const [column, order] of [
    ['cpu self', 'self'],
    ['cpu total', 'total'],
  ] as const) {
    if (order === 'total') await page.getByRole('columnheader', { name: column }).click();
    const wanted = listed('--sort', order);
    await eventually(`the order by ${order}`, async () => {
      const shown = await names(page);
      return wanted.every((name, index) => sameName(shown[index] ?? '', name));
    });
  }
  await shoot(page, 'functions');
});

test('what changed has signs, sides and a verdict', async () => {
  const page = await openList(compared);
  assert.deepEqual(await heads(page), [
    'Function',
    'Change ▾',
    'Verdict',
    'Base',
    'New',
    '95 % interval',
  ]);
  await shoot(page, 'changes');
  // All columns are in sight beside the panel, and nothing in them is cut.
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
  const cut = await page.locator('.table .scroll').evaluate((list) => {
    const edge = list.getBoundingClientRect().left + list.clientWidth;
    return [...list.querySelectorAll('[role=columnheader], .cell')].flatMap((part) => {
      const text = document.createRange();
      text.selectNodeContents(part.querySelector('button') ?? part);
      const { left, right } = part.getBoundingClientRect();
      const shown = text.getBoundingClientRect();
      const fits = right <= edge + 1 && shown.left >= left && shown.right <= right;
      return fits || part.textContent === '' ? [] : [part.textContent];
    });
  });
  assert.deepEqual(cut, []);
  const cells = (row: number) => rows(page).nth(row).locator('.cell').allTextContents();
  const [change, , base, now] = await cells(0);
  // Of the first rows the base has some two seconds, the new profile half of that.
  assert.match(change!, /^-[\d.]+ m?s-\d+(\.\d)? %$/);
  assert.match(base!, /^[\d.]+ s\d/);
  assert.match(now!, /^[\d.]+ m?s\d/);
  await page.getByRole('radio', { name: 'Grew' }).click();
  await eventually('growth alone, with its sign', async () => {
    const [first] = await cells(0);
    const tags = await page.locator('.table .row .tag').allTextContents();
    return first!.startsWith('+') && tags.every((tag) => tag !== '[-]' && tag !== '[D]');
  });
  assert.equal(await page.locator('.table .total .fill.fell').count(), 0);
  await page.getByRole('radio', { name: 'Fell' }).click();
  await eventually('what fell alone', async () => {
    const tags = await page.locator('.table .row .tag').allTextContents();
    return tags.length > 0 && tags.every((tag) => tag !== '[+]' && tag !== '[A]');
  });
  await eventually(
    'no growth',
    async () => (await page.locator('.total .fill.grew').count()) === 0,
  );
});

test('columns are sized, in lists of functions and in trees alike', async () => {
  const page = await stage.open('#view=table');
  const first = page.locator('.table .head > div').first();
  const second = page.locator('.table .head > div').nth(1);
  await page.locator('.table .row').first().waitFor();
  const width = async (of: typeof first) => Math.round((await of.boundingBox())!.width);
  const before = await width(second);
  await page.getByRole('separator', { name: 'Width of values' }).focus();
  await page.keyboard.press('ArrowRight');
  await eventually('wider values', async () => (await width(second)) > before);
  const edge = (await page.getByRole('separator', { name: 'Width of names' }).boundingBox())!;
  const names = await width(first);
  await page.mouse.move(edge.x, edge.y + 5);
  await page.mouse.down();
  await page.mouse.move(edge.x - 60, edge.y + 5, { steps: 3 });
  await page.mouse.up();
  await eventually('narrower names', async () => Math.abs((await width(first)) - names + 60) <= 2);
  const chosen = await width(first);
  await page.reload();
  await page.locator('.table .row').first().waitFor();
  assert.equal(await width(first), chosen);
  await page.getByRole('radio', { name: 'Tree' }).click();
  await page.locator('[role=treegrid] .row').first().waitFor();
  assert.equal(await width(first), chosen);
});
