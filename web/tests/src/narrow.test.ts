import assert from 'node:assert/strict';
import type { CDPSession, Page } from '@playwright/test';
import {
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

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true } as const;
/** A panel beside code in an editor. */
const PANEL = { viewport: { width: 320, height: 700 } } as const;

let stage: Stage;
let compared: Stage;
test.beforeAll(async () => {
  const runs = (side: string) => [1, 2].map((run) => sample(`runs/${side}-${run}.pb.gz`));
  compared = await startStage(runs('after'), [
    'diff',
    '--open',
    '--base',
    ...runs('before'),
    '--new',
  ]);
  stage = await startStage([
    sample('pprof/cpu.pb.gz'),
    sample('sdfg/dace-1.0.2/glance.sdfgz'),
    sample('ezview/reuse.ezview'),
  ]);
});
test.afterAll(async () => {
  await stage.close();
  await compared.close();
});

/** Elements that reach out of the window, unless something around them scrolls. */
function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.shell button, .shell input, .shell [role=radiogroup]')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const scrolls = element.closest('.scroll, .linked-panes, .details, .functions, .bar');
        return width > 0 && scrolls === null && (left < -1 || right > innerWidth + 1);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Controls of the header that lie over each other. */
function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('.header :is(button, input)')].map(
      (element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()] as const,
    );
    const shown = all.filter(([, { width }]) => width > 0);
    return shown.flatMap(([one, a], index) =>
      shown
        .slice(index + 1)
        .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1)
        .filter(([, b]) => a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([other]) => `${one} over ${other}`),
    );
  });
}

/** Views by their addresses, and what only they have. */
const VIEWS = {
  '#d=0': '.flame',
  '#d=0&view=table': '.table',
  '#d=0&view=both': '.views.both',
  '#d=0&view=sandwich': '.sandwich',
  '#d=0&view=charts': '.charts',
  '#d=1': '.graph-canvas',
  '#d=2&view=linked': '.linked-panes',
} as const;

for (const [name, options] of Object.entries({ PHONE, TABLET, PANEL })) {
  test(`nothing is out of reach: ${name.toLowerCase()}`, async () => {
    const page = await stage.open('#d=0', options);
    for (const [at, [hash, only]] of Object.entries(VIEWS).entries()) {
      await page.evaluate((text) => {
        location.hash = text;
      }, hash);
      await page.locator(only).first().waitFor();
      await page.locator('[data-scope]').first().waitFor();
      await eventually('idle', async () => (await page.locator('.busy').count()) === 0);
      for (const open of [false, true]) {
        if (open) await page.getByRole('button', { name: 'More tools' }).click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= options.viewport.width, `${hash} is ${wide} wide`);
        assert.deepEqual(await outside(page), [], hash);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll('.header button, .bar button, .status button')]
            .map((element) => [element.outerHTML, element.getBoundingClientRect()] as const)
            .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 23.5)
            .map(([html]) => html.slice(0, 120)),
        );
        assert.deepEqual(small, [], `${hash} has targets that are too small`);
        if (!open) {
          const { height } = (await page.locator('.header').boundingBox())!;
          assert.ok(height < 60, `${hash}: one row of tools, not ${height} pixels`);
        }
      }
      await shoot(page, `${name.toLowerCase()}-${at}`);
      await page.getByRole('button', { name: 'More tools' }).click();
    }
  });
}

for (const [name, options] of Object.entries({ PHONE, PANEL })) {
  test(`a comparison of runs has its tools and its legend too: ${name.toLowerCase()}`, async () => {
    const page = await compared.open('', options);
    await flameOf(page);
    assert.deepEqual(await outside(page), []);
    assert.deepEqual(await overlaps(page), []);
    const legend = (await page.locator('.change-legend').boundingBox())!;
    assert.ok(legend.x >= 0 && legend.x + legend.width <= options.viewport.width, 'the legend');
    await page.close();
  });
}

test('the header is one row at common widths', async () => {
  const page = await stage.open('');
  await flameOf(page);
  for (const width of [1000, 1001, 1100, 1240, 1241, 1400]) {
    await page.setViewportSize({ width, height: 700 });
    const { height } = (await page.locator('.header').boundingBox())!;
    assert.ok(height < 60, `${width}: ${height}`);
    assert.deepEqual(await outside(page), [], `${width}`);
  }
});

test('a tap selects, the next zooms, a sheet tells of it', async () => {
  const page = await stage.open('', PHONE);
  const flame = await flameOf(page);
  await flame.tap({ position: { x: 60, y: 100 } });
  await eventually('selected', async () => /./.test(await spokenSelection(page)));
  await page.getByRole('button', { name: 'Details' }).tap();
  const sheet = page.getByRole('complementary', { name: 'Details' });
  await sheet.locator('.place').waitFor();
  const box = (await sheet.boundingBox())!;
  assert.ok(box.y > 300 && box.width === 360, JSON.stringify(box));
  await shoot(page, 'phone-sheet');
  await page.getByRole('separator', { name: 'Height of the panel' }).focus();
  await page.keyboard.press('ArrowUp');
  await eventually('it grows', async () => (await sheet.boundingBox())!.y < box.y);
  await flame.tap({ position: { x: 60, y: 100 } });
  await eventually('zoomed', () => hashOf(page).has('z'));
});

async function touch(session: CDPSession, type: string, points: readonly [number, number][]) {
  await session.send('Input.dispatchTouchEvent', {
    type: type as 'touchStart',
    touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
}

test('two fingers zoom, one pans', async () => {
  const page = await stage.open('', TABLET);
  await flameOf(page);
  const session = await page.context().newCDPSession(page);
  await touch(session, 'touchStart', [
    [300, 300],
    [400, 300],
  ]);
  for (let step = 1; step <= 5; step++) {
    await touch(session, 'touchMove', [
      [300 - step * 30, 300],
      [400 + step * 30, 300],
    ]);
  }
  await touch(session, 'touchEnd', []);
  const range = () => (hashOf(page).get('x') ?? '0~1').split('~').map(Number) as [number, number];
  await eventually('zoomed', () => range()[1] - range()[0] < 0.6);
  const before = range();
  await touch(session, 'touchStart', [[300, 300]]);
  for (let step = 1; step <= 5; step++) await touch(session, 'touchMove', [[300 + step * 20, 300]]);
  await touch(session, 'touchEnd', []);
  await eventually('panned', () => range()[0] < before[0]);
  assert.ok(Math.abs(range()[1] - range()[0] - (before[1] - before[0])) < 1e-6);
});

test('a finger that rests opens the menu of a frame and of a row, a moving one does not', async () => {
  const page = await stage.open('', PHONE);
  const flame = await flameOf(page);
  // Not every browser says itself that a finger rests.
  await page.addInitScript(() =>
    addEventListener('contextmenu', (event) => event.stopImmediatePropagation(), true),
  );
  await page.reload();
  await flameOf(page);
  const session = await page.context().newCDPSession(page);
  const rest = async (x: number, y: number, dx = 0) => {
    await touch(session, 'touchStart', [[x, y]]);
    if (dx !== 0) await touch(session, 'touchMove', [[x + dx, y]]);
    await page.waitForTimeout(700);
    await touch(session, 'touchEnd', []);
  };
  const { x, y } = (await flame.boundingBox())!;
  const menu = page.getByRole('menu', { name: 'Frame' });
  await rest(x + 60, y + 60, 40);
  assert.equal(await menu.count(), 0);
  await rest(x + 60, y + 60);
  await menu.waitFor();
  assert.ok(!hashOf(page).has('z'), 'it is not a click');
  await shoot(page, 'phone-menu');
  await page.goto(`${stage.url}#view=table`);
  await page.reload();
  const row = page.locator('.table .row').nth(1);
  await row.waitFor();
  const at = (await row.boundingBox())!;
  await rest(at.x + 60, at.y + 10);
  await page.getByRole('menu', { name: 'Function' }).waitFor();
  await page.close();
});

test('on a phone the panel, the card at the frame and pins make room for each other', async () => {
  const runs = ['before-1', 'before-2', 'before-3'].map((name) => sample(`runs/${name}.pb.gz`));
  const several = await startStage(runs, ['open', '--merge']);
  const page = await several.open('', PHONE);
  const flame = await flameOf(page);
  const [card, pins] = [page.locator('.at-frame .spread'), page.locator('.pinned .spread')];
  const sheet = page.getByRole('complementary', { name: 'Details' });
  await flame.tap({ position: { x: 60, y: 50 } });
  await eventually('selected', async () => /./.test(await spokenSelection(page)));
  await page.keyboard.press('v');
  await card.waitFor();
  await page.getByRole('button', { name: 'Details', exact: true }).tap();
  await sheet.waitFor();
  assert.equal(await card.count(), 0);
  await flame.focus();
  await page.keyboard.press('v');
  await card.waitFor();
  assert.equal(await sheet.count(), 0);
  await card.getByRole('button', { name: 'Pin' }).tap();
  await pins.waitFor();
  assert.equal((await card.count()) + (await sheet.count()), 0);
  const { height } = (await flame.boundingBox())!;
  assert.ok(height > 300, `${height} pixels of the picture`);
  await shoot(page, 'phone-pins');
  await page.getByRole('button', { name: 'Details', exact: true }).tap();
  await sheet.waitFor();
  assert.equal(await pins.count(), 0);
  await several.close();
});
