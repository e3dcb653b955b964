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
  stage = await startStage([TRACE]);
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
