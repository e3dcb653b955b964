import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { sample, shoot, type Stage, startStage, test } from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('calls/estimated.calls')]);
});
test.afterAll(() => stage.close());

/** As the sample has it. */
const TOLD = /exact to call 50, then estimated: \d+ ms ± [\d.]+ ms \(95 %, \d+ samples\)/;

const rowOf = (page: Page, name: string) =>
  page.locator('.table .row', { has: page.locator(`.name b:text-is("${name}")`) });

test('functions that were switched off say up to which call they are exact', async () => {
  const page = await stage.open('#view=table');
  const row = rowOf(page, 'long').first();
  await row.locator('.estimate').waitFor();
  assert.match((await row.locator('.name').getAttribute('title')) ?? '', TOLD);
  assert.match((await row.locator('.cell').first().textContent()) ?? '', /^≈ /);
  const exact = rowOf(page, 'parent').first();
  assert.equal(await exact.locator('.estimate').count(), 0);
  assert.doesNotMatch((await exact.locator('.cell').first().textContent()) ?? '', /≈/);
  assert.match(
    (await page.locator('footer.status').textContent()) ?? '',
    /3 functions exact in part/,
  );
  await row.click();
  const told = page.locator('.details .estimate');
  await told.waitFor();
  assert.match((await told.textContent()) ?? '', TOLD);
  await shoot(page, 'estimates');
});
