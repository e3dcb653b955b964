import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  binary,
  eventually,
  hashOf,
  sample,
  shoot,
  type Stage,
  startStage,
  test,
} from './harness.ts';

const TRACE = sample('trace-event/default.trace.json');

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage([TRACE, sample('cpuprofile/main.cpuprofile')]);
});
test.afterAll(() => stage.close());

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

test('a trace opens in time order, with its tracks, which fold, are summed up and have a menu', async () => {
  const page = await stage.open('#d=0');
  const { picture, x, y } = await pictureOf(page);
  const tracks = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).map((track) => track.trim());
  assert.deepEqual(await tracks(), [
    'MainProcess (25514), process, 1 mark',
    'MainThread (25514), thread, 296 spans, 100.0 % busy, unfolded',
    'bee two (25516), thread, 44 spans, 0.10 % busy, unfolded',
    'bee "one" (25515), thread, 4 spans, 0.30 % busy, unfolded',
  ]);
  assert.match(await said(page), /^0 ns to 67\.\d+ ms$/);
  await shoot(page, 'timeline');
  // Below it stands the flame graph of the same.
  await page.locator('[data-scope=flame]').waitFor();
  // Names fold their tracks, and those under them.
  const unfolded = async () =>
    (await tracks()).filter((track) => track.includes('unfolded')).length;
  await page.mouse.click(x + 60, y + 24 + 85);
  await eventually('it does not fold', async () => (await unfolded()) === 2);
  assert.ok(hashOf(page).has('tt'));
  await page.mouse.click(x + 60, y + 24 + 15, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Pin to the top' }).click();
  assert.equal(hashOf(page).get('tp'), '0');
  await page.mouse.move(x + 60, y + 24 + 12);
  await page.getByRole('button', { name: /^Menu of MainProcess/ }).click();
  await page.getByRole('menuitem', { name: /^Unpin(?! all)/ }).click();
  await page.mouse.click(x + 60, y + 24 + 10);
  await eventually('not summed up', async () =>
    /^MainProcess \(25514\), process, sums up 3 tracks/.test((await tracks()).join()),
  );
  assert.equal(hashOf(page).get('tg'), '0');
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

test('on a phone names stand above their tracks', async () => {
  const page = await stage.open('#d=0', { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { picture, x, y } = await pictureOf(page);
  await shoot(page, 'timeline-narrow');
  const unfolded = async () =>
    (await picture.locator('[role=treeitem]').allInnerTexts()).filter((track) =>
      track.includes('unfolded'),
    ).length;
  // All of it fits, whatever is told above it.
  await page.locator('.timeline-told button').last().waitFor();
  for (const part of ['.timeline-picture', '.timeline-told button:last-child', '.below']) {
    const box = await page.locator(part).last().boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, `${part} is cut off`);
  }
  const before = await unfolded();
  await page.mouse.click(x + 60, y + 24 + 82);
  await eventually('its name does nothing', async () => (await unfolded()) !== before);
});

test('a frame of a sample is the same in all views, with the keyboard too', async () => {
  const page = await stage.open('#d=1&view=timeline');
  const { picture, x, y, width } = await pictureOf(page);
  const details = page.locator('.details h2');
  await eventually('nothing is drawn', async () => {
    await page.mouse.click(x + 176 + (width - 176) * 0.5, y + 24 + 9);
    await page.waitForTimeout(500);
    return hashOf(page).has('tf');
  });
  const name = () => page.locator('.span-panel h2').innerText();
  await eventually('nothing is selected', async () => (await name()) === 'main');
  await eventually(
    'details are of another one',
    async () => (await details.innerText()) === 'main',
  );
  assert.match(await page.locator('.span-panel').innerText(), /sampled/);
  assert.equal(hashOf(page).get('sel')?.split('.').length, 1);
  await page.keyboard.press('ArrowDown');
  await eventually('not inside', async () => (await details.innerText()) === 'cook');
  assert.equal(hashOf(page).get('sel')?.split('.').length, 2);
  const flame = page.getByRole('tree', { name: 'Flame graph' });
  await eventually('not selected in the flame graph', async () =>
    /^cook,/.test(await flame.locator('[role=treeitem][aria-selected=true]').first().innerText()),
  );
  // A screen reader is told of it in its track, with what is around and inside it.
  const current = await picture.getAttribute('aria-activedescendant');
  assert.match(await page.locator(`#${current}`).innerText(), /^cook, \d/);
  const levels = await picture
    .locator('[role=treeitem]')
    .evaluateAll((items) => items.map((item) => Number(item.getAttribute('aria-level'))));
  assert.ok(Math.max(...levels) === 4 && levels[0] === 1, levels.join());
  await page.reload();
  await eventually('lost with a reload', async () => (await name()) === 'cook');
});

test('long idle stretches are left out, and told', async () => {
  // Two bursts of work, a second apart.
  const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const trace = path.join(folder, 'idle.trace.json');
  const span = (name: string, ts: number, dur: number) => ({
    ...{ ph: 'X', pid: 1, tid: 1 },
    ...{ name, ts, dur },
  });
  const traceEvents = [span('early', 0, 1000), span('late', 1_001_000, 1000)];
  writeFileSync(trace, JSON.stringify({ traceEvents }));
  const own = await startStage([trace]);
  try {
    const page = await own.open('#d=0');
    const { picture, x, y, width } = await pictureOf(page);
    await picture.focus();
    await page.keyboard.press('g');
    const note = page.getByRole('button', { name: '1 s idle left out' });
    await note.waitFor();
    assert.equal(hashOf(page).get('ti'), '1');
    // Each burst has half of the width but for the break; before, each was a pixel wide.
    const plot = width - 176;
    const at = (share: number) =>
      page.mouse.click(x + 176 + plot * share, y + 24 + 29 + 9, { delay: 20 });
    await eventually('the first burst is narrow', async () => {
      await at(0.4);
      return (await said(page)).startsWith('early, 1 ms');
    });
    await eventually('the second burst is not where it belongs', async () => {
      await at(0.6);
      return (await said(page)).startsWith('late, 1 ms, at 1.001 s');
    });
    // A drag over the break takes all of it.
    await page.mouse.move(x + 176 + plot * 0.25, y + 24 + 29 + 40);
    await page.mouse.down();
    await page.mouse.move(x + 176 + plot * 0.5, y + 24 + 29 + 40);
    await page.mouse.move(x + 176 + plot * 0.75, y + 24 + 29 + 40);
    await page.mouse.up();
    await page.locator('.chip').waitFor();
    const sizes: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };
    const ends = [...(hashOf(page).get('f') ?? '').matchAll(/(\d[\d.]*)(us|ms|s)/g)];
    const [from, to] = ends.map(([, number, unit]) => Number(number) * sizes[unit!]!);
    assert.ok(Math.abs(from! - 0.5) < 0.02, `from ${from} ms`);
    assert.ok(Math.abs(to! - 1001.5) < 0.02, `to ${to} ms`);
    await note.click();
    await eventually('idle time is still left out', () => !hashOf(page).has('ti'));
  } finally {
    await own.close();
    rmSync(folder, { recursive: true });
  }
});
