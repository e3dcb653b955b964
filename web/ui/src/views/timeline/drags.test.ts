import { expect, test } from 'vitest';
import { dragTo, endOf } from './drags.ts';

const LENGTH = 1000;
const ON_TRACKS = { anchor: 300, onRuler: false };

test('a drag reaches from where it began, whichever way it goes', () => {
  const first = dragTo(undefined, ON_TRACKS, 500, LENGTH);
  expect(first).toMatchObject({ from: 300, to: 500 });
  // The picture may move under it: where it began stays the same time.
  const back = dragTo(first, { anchor: 350, onRuler: false }, 100, LENGTH);
  expect(back).toMatchObject({ from: 100, to: 300 });
});

test('a drag does not leave the recording', () => {
  const far = dragTo(undefined, ON_TRACKS, 5000, LENGTH);
  expect(far).toMatchObject({ from: 300, to: LENGTH });
  expect(dragTo(far, ON_TRACKS, -20, LENGTH)).toMatchObject({ from: 0, to: 300 });
});

test('a drag zooms on the ruler and chooses on tracks, unless it was a click that slipped', () => {
  const drag = dragTo(undefined, ON_TRACKS, 340, LENGTH);
  expect(endOf(drag, 10)).toBe('choose');
  expect(endOf({ ...drag, onRuler: true }, 10)).toBe('zoom');
  expect(endOf(drag, 11)).toBeUndefined();
  expect(endOf(undefined, 10)).toBeUndefined();
});
