import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { createPointing } from './pointing.ts';

/** A pixel is ten nanoseconds; names have the first hundred pixels, then comes the time 1,000. */
function pointingAt() {
  const [zoomTo, choose] = [vi.fn(), vi.fn()];
  const pointing = createPointing({
    timeAt: (x) => 1000 + (x - 100) * 10,
    unit: () => 10,
    length: signal(5000),
    gutter: signal(100),
    hit: (x) => (x < 100 ? { kind: 'name', track: 1 } : undefined),
    trackAt: (y) => (y > 24 ? 1 : undefined),
    zoomTo,
    choose,
  });
  return { pointing, zoomTo, choose };
}

it('keeps the track that the pointer was over while it is on its button', () => {
  const { pointing } = pointingAt();
  pointing.hover({ x: 50, y: 60 });
  expect([pointing.hovered.value?.kind, pointing.overTrack.value]).toEqual(['name', 1]);
  pointing.hover(undefined);
  expect([pointing.hovered.value, pointing.overTrack.value]).toEqual([undefined, 1]);
  pointing.leaveTracks();
  expect(pointing.overTrack.value).toBeUndefined();
});

it('chooses what was dragged over on tracks, from what is in sight where it began on names', () => {
  const { pointing, choose, zoomTo } = pointingAt();
  pointing.press();
  pointing.dragTo({ x: 40, y: 60 }, { x: 150, y: 60 });
  pointing.dragTo({ x: 40, y: 60 }, { x: 160, y: 90 });
  expect(pointing.dragged.value).toMatchObject({ from: 1000, to: 1600 });
  pointing.drop();
  expect(choose).toHaveBeenCalledExactlyOnceWith({ from: 1000, to: 1600 });
  expect(pointing.dragged.value).toBeUndefined();
  pointing.drop();
  expect([choose.mock.calls.length, zoomTo.mock.calls.length]).toEqual([1, 0]);
});

it('zooms to what was dragged over on the ruler', () => {
  const { pointing, choose, zoomTo } = pointingAt();
  pointing.dragTo({ x: 300, y: 8 }, { x: 200, y: 90 });
  pointing.drop();
  expect(zoomTo).toHaveBeenCalledExactlyOnceWith(2000, 1000);
  expect(choose).not.toHaveBeenCalled();
});

it('begins anew with another press', () => {
  const { pointing, choose } = pointingAt();
  pointing.dragTo({ x: 300, y: 60 }, { x: 400, y: 60 });
  pointing.press();
  pointing.dragTo({ x: 200, y: 60 }, { x: 250, y: 60 });
  pointing.drop();
  expect(choose).toHaveBeenCalledExactlyOnceWith({ from: 2000, to: 2500 });
});
