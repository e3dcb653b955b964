import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { binary, eventually, hashOf, sample, shoot, type Stage, startStage } from './harness.ts';

const TRACE = sample('trace-event/default.trace.json');

let stage: Stage;
before(async () => {
  stage = await startStage([
    TRACE,
    sample('trace-event/node.trace.json'),
    sample('pprof/cpu.pb.gz'),
  ]);
});
after(() => stage.close());

async function pictureOf(page: Page) {
  const picture = page.locator('[data-scope=timeline]');
  await picture.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  return { picture, ...box };
}

/** What the page says of the range in sight, or of the selected span. */
function said(page: Page): Promise<string> {
  return page.locator('.timeline output').innerText();
}

/** The totals that the command line tells. */
function totalOf(...filters: readonly string[]): number {
  const json = execFileSync(binary(), ['show', TRACE, '--format', 'json', ...filters], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { rows } = JSON.parse(json) as { rows: readonly { self: number }[] };
  return rows.reduce((sum, { self }) => sum + self, 0);
}

test('a trace opens in time order, with its tracks', async () => {
  const page = await stage.open('#d=0');
  const { picture } = await pictureOf(page);
  const tracks = await picture.locator('[role=treeitem]').allInnerTexts();
  assert.deepEqual(
    tracks.map((track) => track.trim()),
    [
      'MainProcess (25514), process, 0 spans',
      'MainThread (25514), thread, 296 spans, unfolded',
      'bee two (25516), thread, 44 spans, unfolded',
      'bee "one" (25515), thread, 4 spans, unfolded',
    ],
  );
  assert.match(await said(page), /^0 ns to 67\.\d+ ms$/);
  await shoot(page, 'timeline');
  // Below it stands the flame graph of the same.
  await page.locator('[data-scope=flame]').waitFor();
  await page.keyboard.press('4');
  await picture.waitFor({ state: 'detached' });
  assert.equal(hashOf(page).get('view'), 'flame');
});

test('a dragged range is what everything else shows', async () => {
  const page = await stage.open('#d=0');
  const { x, y, width } = await pictureOf(page);
  const plot = x + 176;
  await page.mouse.move(plot + (width - 176) * 0.25, y + 90);
  await page.mouse.down();
  await page.mouse.move(plot + (width - 176) * 0.3, y + 92);
  await page.mouse.move(plot + (width - 176) * 0.5, y + 92);
  await eventually('no length is told', async () => (await page.locator('.tooltip').count()) === 1);
  await page.mouse.up();
  const chip = page.locator('.chip');
  await chip.waitFor();
  const range = hashOf(page).get('f') ?? '';
  assert.match(range, /^time:1[67]\.?\d*ms\.\.33\.?\d*ms$/);
  const total = totalOf('--time', range.slice('time:'.length));
  assert.ok(total > 16_000_000 && total < 18_000_000, `${total}`);
  // A second one takes its place.
  await page.mouse.move(plot + 40, y + 90);
  await page.mouse.down();
  await page.mouse.move(plot + 60, y + 92);
  await page.mouse.move(plot + 140, y + 92);
  await page.mouse.up();
  await eventually('the range stays', () => hashOf(page).get('f') !== range);
  assert.equal(hashOf(page).getAll('f').length, 1);
  await page.locator('[data-scope=timeline]').focus();
  await page.keyboard.press('Escape');
  await chip.waitFor({ state: 'detached' });
});

test('ranges that partition a trace add up', () => {
  const parts = [
    ['--time', '..10ms'],
    ['--time', '10ms..55.1234ms'],
    ['--time', '55.1234ms..'],
  ].map((filter) => totalOf(...filter));
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    totalOf(),
  );
  assert.equal(totalOf('--time', '..10ms', '--time', '10ms..'), totalOf());
});

test('the keyboard walks spans, zooms and keeps their time', async () => {
  const page = await stage.open('#d=0');
  const { picture } = await pictureOf(page);
  await picture.focus();
  await page.keyboard.press('ArrowRight');
  await eventually('nothing selected', async () => (await said(page)).startsWith('builtins.exec,'));
  await page.keyboard.press('ArrowDown');
  await eventually('not inside', async () => (await said(page)).startsWith('<module>,'));
  await page.keyboard.press('ArrowDown');
  await eventually('not the longest inside', async () => (await said(page)).startsWith('main,'));
  const panel = page.locator('.span-panel');
  assert.match(await panel.innerText(), /main[\s\S]*hive\.py[\s\S]*lasts\s+13\.00\d* ms/);
  await page.keyboard.press('Enter');
  await eventually('the window is not in the address', () => hashOf(page).has('t'));
  await page.keyboard.press('m');
  await page.locator('.chip').waitFor();
  assert.match(hashOf(page).get('f') ?? '', /^time:54\.\d+ms\.\.67\.\d+ms$/);
  // Its call path is selected in the flame graph, too.
  assert.equal(hashOf(page).get('sel')?.split('.').length, 3);
  const before = page.url();
  await page.reload();
  await eventually('lost with a reload', async () => (await said(page)).startsWith('main,'));
  assert.equal(page.url(), before);
  await picture.focus();
  await page.keyboard.press('0');
  await page.keyboard.press('Escape');
  await eventually('still selected', () => !hashOf(page).has('ts'));
});

test('the search goes from match to match', async () => {
  const page = await stage.open('#d=0&q=select');
  const { picture } = await pictureOf(page);
  await picture.focus();
  await page.keyboard.press(']');
  await eventually('no match', async () => /select/i.test(await said(page)));
  const first = hashOf(page).get('ts');
  await page.keyboard.press(']');
  await eventually('no next match', () => hashOf(page).get('ts') !== first);
  await page.keyboard.press('[');
  await eventually('no match before', () => hashOf(page).get('ts') === first);
  assert.match(await page.locator('.find output').innerText(), /^1 of \d+/);
});

test('spans of a name are a filter', async () => {
  const page = await stage.open('#d=1');
  await pictureOf(page);
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.locator('.add-filter select').selectOption('during');
  await page.locator('.add-filter input').fill('MinorGC');
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  assert.equal(hashOf(page).get('f'), 'during:MinorGC');
  await eventually('the chip does not say what is left', async () =>
    /keeps \d/.test(await page.locator('.chip').innerText()),
  );
  // What is no range of time is refused where it is typed.
  await page.getByRole('button', { name: '+ Filter' }).click();
  await page.locator('.add-filter select').selectOption('time');
  await page.locator('.add-filter input').fill('soon');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.add-filter [role=alert]').innerText(), /no range of time/);
});

test('tracks fold by their names, and the address keeps it', async () => {
  const page = await stage.open('#d=0');
  const { picture, x, y } = await pictureOf(page);
  const unfolded = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).filter((track) =>
      track.includes('unfolded'),
    ).length;
  assert.equal(await unfolded(), 3);
  await page.mouse.click(x + 60, y + 24 + 85);
  await eventually('it does not fold', async () => (await unfolded()) === 2);
  assert.ok(hashOf(page).has('tt'));
  await page.reload();
  await eventually('lost with a reload', async () => (await unfolded()) === 2);
});

test('a profile without time has no timeline', async () => {
  const page = await stage.open('#d=2&view=timeline');
  await page.locator('[data-scope=flame]').waitFor();
  assert.equal(await page.getByRole('radio', { name: 'Timeline' }).count(), 0);
  await page.keyboard.press('9');
  assert.match(await page.locator('.banner').innerText(), /does not tell when/);
});

test('on a phone names stand above their tracks', async () => {
  const page = await stage.open('#d=0', { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { picture, x, y } = await pictureOf(page);
  await shoot(page, 'timeline-narrow');
  const unfolded = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).filter((track) =>
      track.includes('unfolded'),
    ).length;
  const before = await unfolded();
  await page.mouse.click(x + 60, y + 24 + 82);
  await eventually('its name does nothing', async () => (await unfolded()) !== before);
});
