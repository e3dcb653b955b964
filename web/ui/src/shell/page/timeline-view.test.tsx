// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { closePages } from './page.fixture.tsx';
import { names, openTimeline } from './timeline.fixture.tsx';
import { RULER } from '../../views/timeline/places.ts';

afterEach(closePages);

it('has a button for the menu of the track under the pointer', async () => {
  const page = await openTimeline();
  expect(page.count('button', /^Menu of/)).toBe(0);
  await page.pointAt(page.find('tree', 'Timeline'), 700, RULER + 40);
  await page.click(page.find('button', 'Menu of Main thread'));
  expect(page.texts('.menu h2')).toEqual(['Main thread']);
  await page.click(page.find('menuitem', /^Hide/));
  expect(names(page)).not.toContain('Main thread');
  expect(page.all('.menu')).toEqual([]);
});

it('has that of the track of the keys where the pointer is elsewhere', async () => {
  const page = await openTimeline();
  await page.press('j', 'j');
  expect(page.count('button', 'Menu of Main thread')).toBe(1);
});

it('says where in the recording it is', async () => {
  const page = await openTimeline();
  const said = () => page.texts('.timeline output')[0];
  const whole = said();
  await page.press('+');
  await page.until(() => page.hash().has('t'));
  expect(said()).not.toBe(whole);
  await page.press('0');
  await page.until(() => said() === whole);
});
