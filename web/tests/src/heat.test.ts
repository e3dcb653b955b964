import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
  stage = await startStage([TRACE, sample('pprof/cpu.pb.gz')]);
});
test.afterAll(() => stage.close());

async function heatOf(page: Page) {
  const picture = page.locator('[data-scope=heat]');
  await picture.waitFor();
  await eventually('no cells', async () => (await page.locator('.heat .busy').count()) === 0);
  const box = await picture.boundingBox();
  assert.ok(box !== null);
  return { picture, ...box };
}

const said = (page: Page) => page.locator('.heat-at').innerText();

/** Nanoseconds of the default metric that the command line tells of a range. */
function totalOf(...filters: readonly string[]): number {
  const json = execFileSync(binary(), ['show', TRACE, '--format', 'json', ...filters], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { rows } = JSON.parse(json) as { rows: readonly { self: number }[] };
  return rows.reduce((sum, { self }) => sum + self, 0);
}

/** A time as the page tells it, in nanoseconds, and how far off it may be. */
function nanoseconds(text: string): { value: number; off: number } {
  const [, number, unit] = /^([\d.,]+) (ns|µs|ms|s)/.exec(text) ?? [];
  const scale = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit!]!;
  const value = Number(number!.replaceAll(',', '')) * scale;
  return { value, off: value * 0.005 + 1 };
}

test('dragged cells are what everything else shows, and what the command line tells', async () => {
  const page = await stage.open('#d=0&view=heat');
  const { x, y, width, height } = await heatOf(page);
  await page.mouse.move(x + width * 0.1, y + height * 0.3);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height * 0.6);
  const together = await said(page);
  await shoot(page, 'heat');
  await page.mouse.up();
  const chip = page.locator('.chip');
  await chip.waitFor();
  const range = hashOf(page)
    .get('f')!
    .replace(/^time:/, '');
  assert.ok(range.split(',').length > 3, range);
  const { value, off } = nanoseconds(together);
  const expected = totalOf('--time', range);
  assert.ok(expected > 0 && Math.abs(value - expected) <= off, `${together}, ${expected}`);
  // What was chosen from stays; Escape takes the choice back.
  await page.locator('[data-scope=heat]').press('Escape');
  await chip.waitFor({ state: 'detached' });
});

test('the keyboard walks cells, extends and keeps them', async () => {
  const page = await stage.open('#d=0&view=heat&hc=10000000');
  const { picture } = await heatOf(page);
  await picture.focus();
  await page.keyboard.press('ArrowRight');
  const first = await said(page);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await said(page), first);
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+ArrowRight');
  await eventually('two parts', async () => /2 parts/.test(await said(page)));
  await page.keyboard.press('Enter');
  await eventually('a range', () =>
    /^time:10ms\.\.10\.4ms,20ms\.\.20\.4ms$/.test(hashOf(page).get('f') ?? ''),
  );
});

test('the search is what the cells are of', async () => {
  const page = await stage.open('#d=0&view=heat&hc=100000000');
  await heatOf(page);
  const most = page.locator('.heat-legend');
  const all = await most.innerText();
  await page.locator('.find input').fill('^[a-f]');
  await eventually('other cells', async () => (await most.innerText()) !== all);
  assert.match(await page.locator('.heat-told').innerText(), /of what the search finds/);
});

test('what has no times has no heat map', async () => {
  const page = await stage.open('#d=1&view=heat');
  await page.locator('[data-scope=flame]').waitFor();
  assert.equal(await page.locator('.heat').count(), 0);
  await page.keyboard.press('H');
  await page.getByText('does not tell when anything was').waitFor();
});

test('two rectangles are compared', async () => {
  const page = await stage.open('#d=0&view=heat&hc=10000000&f=time:10ms..20ms');
  const { x, y, width, height } = await heatOf(page);
  await page.keyboard.down('Shift');
  await page.mouse.move(x + width * 0.4, y + height * 0.1);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.8);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  // The kept range stays; the other is only held against it.
  assert.equal(hashOf(page).get('f'), 'time:10ms..20ms');
  await page.getByRole('button', { name: 'Compare with the kept range' }).click();
  const sides = page.locator('.sides');
  await sides.waitFor();
  assert.match((await sides.getAttribute('title')) ?? '', /base: .*10ms\.\.20ms/);
  assert.match(await sides.innerText(), /20ms\s+10 ms/);
  await page.locator('[data-scope=flame]').waitFor();
  assert.equal(hashOf(page).get('view'), 'flame');
  await shoot(page, 'heat-compared');
});

test('what a filter of time leaves out is told', async () => {
  const page = await stage.open('#d=0&view=heat&f=time:5s..6s');
  await page.locator('.chip-notes').waitFor();
  assert.match(await page.locator('.chip-notes').innerText(), /recording/);
});
