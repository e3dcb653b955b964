import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { onMachine, type Stage, sample, shoot, startStage, test } from './harness.ts';
import { cutTree, exactSum } from './pruning.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/heap.pb.gz')]);
});
test.afterAll(() => stage.close());

const rows = (page: Page) => page.locator('.table .row');

async function openTable(hash = '#view=table&list=tree'): Promise<Page> {
  const page = await stage.open(hash);
  await rows(page).first().waitFor();
  return page;
}

test(
  'ends lists with what is left out, which a click shows',
  onMachine('compared with the command line'),
  async () => {
    const file = sample('pprof/heap.pb.gz');
    const page = await openTable('#view=table&list=tree&by=name&m=1&below=5');
    const rest = page.locator('.table .row.rest');
    const { cut } = cutTree(file, ['--metric', '1'], ['--prune', '5%']);
    const outermost = cut.filter(({ depth }) => depth === 0);
    assert.ok(outermost.length > 1, 'something is left out');
    const said = `${outermost.length} more below 5 %`;
    await rest.filter({ hasText: said }).waitFor();
    // Name, then self and total of the shown metric.
    const total = rest.filter({ hasText: said }).locator('[role=gridcell]').nth(2);
    assert.equal(await total.getAttribute('title'), `${exactSum(outermost)} bytes`);
    const before = await rows(page).count();
    await rest.filter({ hasText: said }).click();
    await rest.filter({ hasText: said }).waitFor({ state: 'detached' });
    assert.equal(await rows(page).count(), before - 1 + outermost.length);

    // Two levels: what the hottest path goes on with is told below them, and shown once it is selected.
    await page.goto(stage.address('#view=table&list=tree&by=name&m=1&levels=2'));
    await page.reload();
    await rows(page).first().waitFor();
    await page.locator('.table .row .twist').first().click();
    await page.locator('.table .row[aria-level="2"] .twist:not(.none)').first().click();
    const deep = page.locator('.table .row[aria-level="3"]');
    await deep.first().waitFor();
    const name = (await page
      .locator('.table .row[aria-level="2"] .name')
      .first()
      .getAttribute('title'))!;
    const cutDeep = cutTree(file, ['--metric', '1'], ['--depth', '2']).cut.filter(
      ({ path }) => path[1] === name.split('\n')[0],
    );
    assert.deepEqual(await deep.locator('.name').allInnerTexts(), [
      `▶\n${cutDeep.length} below level 2`,
    ]);
    await shoot(page, 'table-pruned');
    await page.keyboard.press('h');
    await page.locator('.table .row[aria-level="4"]').first().waitFor();
    await page.getByRole('searchbox', { name: 'Filter rows' }).fill('a');
    await page.getByText('nothing hidden while rows are filtered').waitFor();
  },
);
