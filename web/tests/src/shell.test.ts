import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  clickRow,
  eventually,
  flameOf,
  hashOf,
  type Stage,
  sample,
  shoot,
  spokenSelection,
  startStage,
  test,
} from './harness.ts';

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([sample('pprof/labels.pb.gz')]);
});
test.afterAll(() => stage.close());

test('adds a filter that says what it kept, and takes it away', async () => {
  const page = await stage.open();
  await clickRow(page, 2);
  await eventually('selected', async () => (await spokenSelection(page)) !== '');
  await page.keyboard.press('f');
  const chip = page.locator('.chip').first();
  await chip.waitFor();
  await eventually('a share is shown', async () =>
    /keeps [<\d.]+ ?[\d.]* ?%/.test((await chip.textContent()) ?? ''),
  );
  assert.match((await chip.textContent()) ?? '', /^focus: /);
  await shoot(page, 'filter');
  await chip.getByRole('button').click();
  await eventually('no filter', async () => (await page.locator('.chip').count()) === 0);
});

test('adds a typed filter', async () => {
  const page = await stage.open();
  await flameOf(page);
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.getByRole('combobox', { name: 'Kind of filter' }).selectOption('ignore');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('nothing is called so');
  await page.keyboard.press('Enter');
  await page.locator('.chip.idle').waitFor();
  assert.match((await page.locator('.chip').textContent()) ?? '', /matches nothing/);
});

test('a filter that cannot be used is never a chip', async () => {
  const page = await stage.open();
  await flameOf(page);
  await page.getByRole('button', { name: '+ Filter' }).click();
  const pattern = page.getByRole('textbox', { name: 'Pattern' });
  await pattern.fill('(\\w{1000}){1000}');
  await page.keyboard.press('Enter');
  await page.locator('.add-filter [role=alert]', { hasText: 'cannot be searched for' }).waitFor();
  assert.equal(await page.locator('.chip').count(), 0);
  assert.ok(!hashOf(page).has('f'));
  // What is no expression is meant as it stands.
  await pattern.fill('(*Regexp)');
  await page.keyboard.press('Enter');
  await eventually('it keeps something', async () =>
    /keeps [1-9]/.test((await page.locator('.chip').textContent()) ?? ''),
  );
  // One in an address goes, the other stays.
  const linked = await stage.open('#f=label_focus:&f=focus:runtime');
  await linked.getByText('A filter was left out').waitFor();
  await eventually('one is left', () => hashOf(linked).getAll('f').join() === 'focus:runtime');
  await flameOf(linked);
});

test('shows labels and filters by one', async () => {
  const page = await stage.open();
  const label = page.locator('.details h3', { hasText: /^Label / }).first();
  await label.waitFor();
  const share = page.locator('.details .share-list button').first();
  await share.click();
  await eventually(
    'filtered by a label',
    () => hashOf(page).get('f')?.startsWith('label_focus:') === true,
  );
  await eventually('a share is shown', async () =>
    /keeps/.test((await page.locator('.chip').textContent()) ?? ''),
  );
});

test('follows the system and a chosen theme', async () => {
  const page = await stage.open('', { colorScheme: 'dark' });
  await flameOf(page);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'dark');
  await clickRow(page, 2);
  await shoot(page, 'flame-dark');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'High contrast dark' }).click();
  await eventually('high contrast', async () => (await theme()) === 'contrast');
  await shoot(page, 'flame-contrast');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Light', exact: true }).click();
  await eventually('light', async () => (await theme()) === 'light');
  await page.reload();
  await flameOf(page);
  assert.equal(await theme(), 'light');
});

test('prefers high contrast where the system does', async () => {
  for (const look of [{ contrast: 'more' }, { forcedColors: 'active' }] as const) {
    for (const [colorScheme, theme] of [
      ['light', 'contrast-light'],
      ['dark', 'contrast'],
    ] as const) {
      const page = await stage.open('', { ...look, colorScheme });
      await flameOf(page);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      await page.close();
    }
  }
});

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

test('lists all keys', async () => {
  const page = await stage.open();
  await flameOf(page);
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await sheet.waitFor();
  assert.ok((await sheet.locator('.key').count()) > 40);
  await shoot(page, 'keys');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
});

test('switches the metric and shows units people read', async () => {
  const page = await stage.open();
  await flameOf(page);
  await page.keyboard.press('m');
  await eventually('another metric', () => hashOf(page).has('m'));
});

test('exports what the sandwich shows, and lists the functions themselves', async () => {
  const page = await stage.open('#view=sandwich');
  const list = page.getByRole('navigation', { name: 'Functions' });
  const functions = list.locator('.share-list button');
  await list.getByRole('searchbox', { name: 'Find a function' }).fill('Unmarshal');
  await eventually('those alone', async () => {
    const shown = await functions.allTextContents();
    return shown.length > 0 && shown.every((text) => /nmarshal/.test(text));
  });
  await functions.first().click();
  const name = (await page.locator('.pane-title b').textContent())!;
  for (const item of ['Callees as SVG', 'Callers as SVG']) {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    const text = readFileSync((await download.path())!, 'utf8');
    const [first] = text.match(/<title>[^<]*/) ?? [];
    assert.ok(first?.includes(name), `${item} begins with ${first}`);
  }
});

test('exports the picture and the table', async () => {
  const page = await stage.open();
  await flameOf(page);
  for (const [item, ending] of [
    ['Flame graph as SVG', '.svg'],
    ['Flame graph as PNG', '.png'],
    ['Table as CSV', '.csv'],
  ]) {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item! }).click(),
    ]);
    assert.ok(download.suggestedFilename().endsWith(ending!), download.suggestedFilename());
    const stream = await download.createReadStream();
    let bytes = 0;
    for await (const chunk of stream) bytes += (chunk as Buffer).length;
    assert.ok(bytes > 100, `${item} has ${bytes} bytes`);
  }
});

test('fits a narrow window', async () => {
  const page = await stage.open('', { viewport: { width: 480, height: 800 } });
  await flameOf(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
  await shoot(page, 'narrow-details');
});

test('looks right at two sizes in two themes', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1400, 860],
      [600, 800],
    ]) {
      const page = await stage.open('', {
        colorScheme,
        viewport: { width: width!, height: height! },
      });
      await clickRow(page, 1);
      await eventually('selected', async () => (await spokenSelection(page)) !== '');
      await shoot(page, `shell-${colorScheme}-${width}`);
      await page.close();
    }
  }
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

test('a list of functions has no shape to choose', async () => {
  const page = await stage.open('#view=table');
  const shapes = page.getByRole('radiogroup', { name: 'Shape' }).getByRole('radio');
  await shapes.first().waitFor();
  assert.ok(await shapes.first().isDisabled());
  await page.getByRole('radio', { name: 'Tree' }).click();
  await eventually('chosen for a tree', () => shapes.first().isEnabled());
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

test('a tooltip leaves in sight what a frame calls', async () => {
  const page = await stage.open();
  const flame = await flameOf(page);
  const { y } = (await flame.boundingBox())!;
  await flame.hover({ position: { x: 300, y: 140 } });
  const tip = page.getByRole('tooltip');
  await tip.waitFor();
  const box = (await tip.boundingBox())!;
  assert.ok(box.y >= 0 && box.y + box.height <= y + 130, JSON.stringify(box));
});
