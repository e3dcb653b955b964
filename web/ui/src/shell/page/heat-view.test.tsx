// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { closePages, openPage } from './page.fixture.tsx';
import { traceEngine } from './trace.fixture.ts';
import { FOOT, GUTTER } from '../../views/heat/painting.ts';

afterEach(closePages);

/** A second of ten columns in a picture of 1000 by 600 pixels. */
async function openHeat(hash = '') {
  const engine = traceEngine({
    heat: ({ cells }) => ({
      result: { outside: 0, untimed: 0 },
      columns: { value: new Float64Array(cells).fill(2) },
    }),
  });
  const page = await openPage(engine, {
    hash: `#view=heat&hc=100000000${hash}`,
  });
  const picture = page.find('application', 'Heat map');
  /** The middle of a column, and the ends of all columns. */
  const x = (column: number) => GUTTER + ((1000 - GUTTER) / 10) * (column + 0.5);
  return { page, picture, x, top: 10, bottom: 600 - FOOT - 4 };
}

it('tells what is under the pointer', async () => {
  const { page, picture, x, bottom } = await openHeat();
  expect(page.texts('.heat-at')).toEqual(['Drag over cells: everything else shows their time']);
  await page.pointAt(picture, x(3), bottom);
  expect(page.texts('.heat-at')[0]).toMatch(/^2 0\.20 % 300 ms to 302 ms/);
});

it('keeps the time of columns that are dragged over', async () => {
  const { page, picture, x, top, bottom } = await openHeat();
  await page.dragOver(picture, { x: x(2), y: bottom }, { x: x(4), y: top });
  expect(page.hash().getAll('f')).toEqual(['time:200ms..500ms']);
  picture.dispatchEvent(new PointerEvent('pointerleave'));
  await page.settle();
  expect(page.texts('.heat-at')).toEqual([
    'Shift + drag over other cells compares them with the kept range',
  ]);
});

it('says how much has no time', async () => {
  const untimed = traceEngine({
    heat: ({ cells }) => ({
      result: { outside: 0, untimed: 7 },
      columns: { value: new Float64Array(cells) },
    }),
  });
  const page = await openPage(untimed, { hash: '#view=heat' });
  expect(page.texts('.heat-at')[0]).toBe('7 have no time and are not here');
});
