import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import {
  clickRow,
  eventually,
  flameOf,
  type Stage,
  sample,
  shoot,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

const runs = (side: string) => [1, 2, 3, 4, 5].map((run) => sample(`runs/${side}-${run}.pb.gz`));

/** Gives files to the page as its button does, and waits until it asks what they are together. */
async function give(page: Page, files: readonly string[]) {
  await flameOf(page);
  await page.getByLabel('Open files').setInputFiles(files);
  const dialog = page.getByRole('dialog', {
    name: `How do these ${files.length} profiles relate?`,
  });
  await dialog.waitFor();
  return dialog;
}

test('several files are one profile in one step', async () => {
  const page = await stage.open();
  const dialog = await give(page, runs('before'));
  await shoot(page, 'together');
  // By their names the last would be compared with the others.
  await dialog.getByRole('button', { name: 'Show 5 profiles as one' }).click();
  await eventually('one profile of five', async () =>
    /^before \(5 runs\)/.test(await page.title()),
  );
  await flameOf(page);
  await page.getByRole('heading', { name: 'Over 5 profiles' }).waitFor();
  await page.close();
});

test('a frame opens how its values spread at the frame, and pinned ones stand side by side', async () => {
  const several = await startStage(runs('before'), ['open', '--merge']);
  const page = await several.open();
  const flame = await flameOf(page);
  await clickRow(page, 3);
  await page.keyboard.press('v');
  const card = page.locator('.at-frame .spread');
  await card.getByText('Total over 5 profiles').waitFor();
  await eventually('one picture', async () => (await card.locator('svg.series').count()) === 1);
  const [at, picture] = [await card.boundingBox(), await flame.boundingBox()];
  assert.ok(at !== null && picture !== null);
  assert.ok(at.x >= picture.x && at.x + at.width <= picture.x + picture.width);
  await card.getByRole('button', { name: 'All metrics' }).click();
  await eventually('both metrics', async () => (await card.locator('svg.series').count()) === 2);
  await card.getByRole('button', { name: 'Pin' }).click();
  // It goes along with the selection.
  const first = await card.getByRole('heading', { level: 3 }).textContent();
  await flame.focus();
  await page.keyboard.press('ArrowDown');
  await eventually(
    'the next frame',
    async () => (await card.getByRole('heading', { level: 3 }).textContent()) !== first,
  );
  await card.getByRole('button', { name: 'Pin' }).click();
  const pinned = page.getByRole('region', { name: 'Pinned values' }).locator('.spread');
  await eventually('two side by side', async () => (await pinned.count()) === 2);
  await eventually('one beside the other', async () => {
    const [left, right] = [await pinned.nth(0).boundingBox(), await pinned.nth(1).boundingBox()];
    return left !== null && right !== null && left.x + left.width <= right.x && left.y === right.y;
  });
  await shoot(page, 'spread-at-frame');
  await flame.focus();
  await page.keyboard.press('Escape');
  await eventually('closed', async () => (await card.count()) === 0);
  assert.equal(await pinned.count(), 2);
  await page.close();
  await several.close();
});
