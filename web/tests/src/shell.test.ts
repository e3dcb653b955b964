import assert from 'node:assert/strict';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  spokenSelection,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/labels.pb.gz')]);
});
test.afterAll(() => stage.close());

test('keeps its state over a reload and goes back', async () => {
  const page = await stage.open();
  await clickRow(page, 1);
  await eventually('selected', () => hashOf(page).has('sel'));
  await clickRow(page, 1);
  await eventually('zoomed', () => hashOf(page).has('z'));
  await page.getByRole('radio', { name: 'Both' }).click();
  await page.locator('.table .row').first().waitFor();
  const before = page.url();
  await page.reload();
  await flameOf(page);
  await page.locator('.table .row').first().waitFor();
  assert.equal(page.url(), before);
  await eventually('the selection is back', async () => (await spokenSelection(page)) !== '');
  await page.goBack();
  await eventually(
    'only the flame graph',
    async () => (await page.locator('.table').count()) === 0,
  );
  await page.goBack();
  await eventually('the whole program', () => !hashOf(page).has('z'));
  await page.goForward();
  await eventually('zoomed again', () => hashOf(page).has('z'));
});

test('remembers how its parts are sized, and what is closed', async () => {
  const page = await stage.open('#view=both');
  await flameOf(page);
  const width = async () => (await page.locator('.details').boundingBox())!.width;
  const edge = page.getByRole('separator', { name: 'Width of the panel' });
  await edge.focus();
  const first = await width();
  await page.keyboard.press('ArrowLeft');
  await eventually('wider by a key', async () => (await width()) > first);
  const { x, y, height } = (await edge.boundingBox())!;
  await page.mouse.move(x, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 90, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await eventually('wider by dragging', async () => (await width()) > first + 100);
  const chosen = await width();
  const flame = page.locator('.flame');
  const before = (await flame.boundingBox())!.height;
  await page.getByRole('separator', { name: 'Height of the flame graph' }).focus();
  await page.keyboard.press('ArrowDown');
  await eventually('taller', async () => (await flame.boundingBox())!.height > before);
  await page.getByRole('button', { name: 'Close the overview' }).click();
  await page.locator('.minimap').waitFor({ state: 'hidden' });
  await page.reload();
  await flameOf(page);
  assert.equal(await width(), chosen);
  await page.getByRole('button', { name: 'Show the overview' }).click();
  await page.locator('.minimap').waitFor();
  await edge.dblclick();
  await eventually('as at first', async () => (await width()) === first);
});

test('stays scrolled and selected over a reload, in pictures and lists', async () => {
  const page = await stage.open('', { viewport: { width: 1200, height: 420 } });
  const flame = await flameOf(page);
  await flame.hover({ position: { x: 200, y: 150 } });
  await page.mouse.wheel(0, 160);
  await eventually('the address has it', () => Number(hashOf(page).get('y')) > 100);
  const top = hashOf(page).get('y');
  await page.mouse.click(200, 200);
  await eventually('selected', async () => (await spokenSelection(page)) !== '');
  const said = await spokenSelection(page);
  await page.reload();
  await eventually('selected again', async () => (await spokenSelection(page)) === said);
  await flame.hover({ position: { x: 200, y: 150 } });
  // Scrolling goes on from there.
  await page.mouse.wheel(0, 40);
  await eventually('further down', () => Number(hashOf(page).get('y')) === Number(top) + 40);

  await page.getByRole('radio', { name: 'Table' }).click();
  const list = page.locator('.table .scroll');
  await page.locator('.table .row').first().waitFor();
  await list.hover();
  await page.mouse.wheel(0, 480);
  await eventually('the address has the row', () => hashOf(page).get('row') === '20');
  await page.reload();
  await eventually('there again', async () => (await list.evaluate((it) => it.scrollTop)) === 480);
});
