import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  onMachine,
  type Stage,
  sample,
  shoot,
  spokenSelection,
  startStage,
  test,
} from './harness.ts';
import { cutTree, exactSum } from './pruning.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/heap.pb.gz')]);
});
test.afterAll(() => stage.close());

const rows = (page: Page) => page.locator('.table .row');
const names = (page: Page) => page.locator('.table .row .name b').allTextContents();

async function openTable(hash = '#view=table&list=tree'): Promise<Page> {
  const page = await stage.open(hash);
  await rows(page).first().waitFor();
  return page;
}

test('has every metric as two columns', async () => {
  const page = await openTable();
  const heads = await page.locator('.table [role=columnheader]').allTextContents();
  const metrics = ['alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'];
  for (const metric of metrics) {
    assert.ok(
      heads.some((head) => head.startsWith(`${metric} self`)),
      `${metric} self`,
    );
    assert.ok(
      heads.some((head) => head.startsWith(`${metric} total`)),
      `${metric} total`,
    );
  }
  await shoot(page, 'table-heap');
});

test('unfolds and folds with mouse and keyboard', async () => {
  const page = await openTable();
  const before = await rows(page).count();
  await rows(page).first().locator('.twist').click();
  await eventually('more rows', async () => (await rows(page).count()) > before);
  await rows(page).first().click();
  await page.keyboard.press('ArrowLeft');
  await eventually('as many rows as before', async () => (await rows(page).count()) === before);
  await page.keyboard.press('ArrowRight');
  await eventually('more rows again', async () => (await rows(page).count()) > before);
});

test('sorts by name and by any metric', async () => {
  const page = await openTable();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await eventually('in the order of names', async () => {
    const shown = await page
      .locator('.table .row .name')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell.getAttribute('title') ?? '').split('\n')[0] ?? ''),
      );
    return hashOf(page).has('sort') && shown.join() === [...shown].sort().join();
  });
  const byName = await names(page);
  await page.getByRole('button', { name: /^alloc_objects total/ }).click();
  await eventually(
    'sorted by a metric',
    () => hashOf(page).get('sort')?.startsWith('total') === true,
  );
  await page.getByRole('button', { name: /^alloc_objects total/ }).click();
  await eventually('reversed', () => hashOf(page).get('sort')?.endsWith('.r') === true);
  await eventually('the rows are there', async () => (await rows(page).count()) === byName.length);
});

test('unfolds the hottest path with one key', async () => {
  const page = await openTable();
  const before = await rows(page).count();
  await rows(page).first().click();
  await page.keyboard.press('h');
  await eventually('more rows', async () => (await rows(page).count()) > before);
  await eventually('its end is selected', () => (hashOf(page).get('sel') ?? '').includes('.'));
  await shoot(page, 'table-hottest');
});

test('narrows rows with a filter', async () => {
  const page = await openTable();
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('no such function');
  await page.getByText('No rows').waitFor();
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('');
  await rows(page).first().waitFor();
});

test('copies marked rows as text', async () => {
  const page = await openTable();
  const before = await rows(page).count();
  await rows(page).first().locator('.twist').click();
  await eventually('unfolded', async () => (await rows(page).count()) > before);
  await rows(page).first().click();
  await page.keyboard.press('Shift+ArrowDown');
  await eventually(
    'two rows marked',
    async () => (await page.locator('.table .row[aria-selected=true]').count()) === 2,
  );
  await page.keyboard.press('Control+c');
  await page.getByText('2 rows copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const lines = copied.split('\n');
  assert.equal(lines.length, 3);
  assert.equal(lines[0]?.split('\t').length, lines[1]?.split('\t').length);
});

test('shares the selection with the flame graph', async () => {
  const page = await openTable('#view=both&list=tree');
  await clickRow(page, 2);
  await eventually('the table unfolds to it', async () => {
    const spoken = await spokenSelection(page);
    const marked = await page.locator('.table .row.cursor .name').getAttribute('title');
    return marked !== null && spoken !== '' && spoken.startsWith(marked.split('\n')[0]!);
  });
  await shoot(page, 'both');
  await rows(page).first().click();
  await eventually('the flame graph follows', async () => {
    const spoken = await spokenSelection(page);
    const title = await rows(page).first().locator('.name').getAttribute('title');
    return spoken.startsWith(title!.split('\n')[0]!);
  });
});

test('keeps what is unfolded when the metric changes', async () => {
  const page = await openTable();
  const before = await rows(page).count();
  await rows(page).first().locator('.twist').click();
  await eventually('unfolded', async () => (await rows(page).count()) > before);
  await page.getByRole('button', { name: /^Metric/ }).click();
  await page.getByRole('menuitemradio', { name: /alloc_space/ }).click();
  await eventually('another metric', () => hashOf(page).has('m'));
  await eventually(
    'still unfolded',
    async () => (await page.locator('.table .row[aria-expanded=true]').count()) > 0,
  );
});

test('zooms the flame graph to a row, and offers the frame menu', async () => {
  const page = await openTable();
  await rows(page).first().click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'Frame' });
  await menu.getByRole('menuitem', { name: /Focus/ }).waitFor();
  await shoot(page, 'table-menu');
  await menu.getByRole('menuitem', { name: /Zoom/ }).click();
  await flameOf(page);
  await eventually('zoomed', () => hashOf(page).has('z'));
});

test('shows the flat shape as modules, files and functions', async () => {
  const page = await openTable('#view=table&list=tree&shape=flat');
  await page.locator('.table .scroll').focus();
  await page.keyboard.press('h');
  await eventually(
    'three levels',
    async () => (await page.locator('.table .row[aria-level="3"]').count()) > 0,
  );
  await shoot(page, 'table-flat');
});

test('opens a function in the sandwich', async () => {
  const page = await stage.open();
  await clickRow(page, 2);
  await eventually('selected', async () => (await spokenSelection(page)) !== '');
  const name = (await spokenSelection(page)).split(',')[0]!;
  await page.keyboard.press('o');
  await eventually('the sandwich is shown', () => hashOf(page).get('view') === 'sandwich');
  await page.getByRole('tree', { name: 'Callers' }).waitFor();
  await page.getByRole('tree', { name: 'Callees' }).waitFor();
  await eventually('of that function', async () =>
    ((await page.locator('.pane-title b').textContent()) ?? '').startsWith(name),
  );
  await page
    .getByRole('tree', { name: 'Callees' })
    .locator('[role=treeitem]')
    .first()
    .waitFor({ state: 'attached' });
  await page
    .getByRole('tree', { name: 'Callers' })
    .locator('[role=treeitem]')
    .first()
    .waitFor({ state: 'attached' });
  await shoot(page, 'sandwich');
  await page.goBack();
  await flameOf(page);
});

test('all that is unfolded survives a reload', async () => {
  const page = await openTable();
  // Two branches, of which one is not on the way to what is selected.
  await page.keyboard.press('h');
  await eventually('unfolded', async () => (await rows(page).count()) > 3);
  const folded = page.locator('.table .row[aria-expanded=false]');
  const before = await rows(page).count();
  await folded.last().locator('.twist').click();
  await eventually('a branch beside it', () => /[-*]/.test(hashOf(page).get('open') ?? ''));
  await eventually('its rows', async () => (await rows(page).count()) > before);
  await page.keyboard.press('Escape');
  await eventually('nothing is selected', () => !hashOf(page).has('sel'));
  const shown = await names(page);
  await page.reload();
  await rows(page).first().waitFor();
  await eventually('the same rows', async () => (await names(page)).join() === shown.join());
});

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
