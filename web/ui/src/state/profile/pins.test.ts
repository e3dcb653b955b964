import { expect, it } from 'vitest';
import { DEFAULT_VIEW, viewSpec } from '../view-state.ts';
import { createPins } from './pins.ts';

const spec = viewSpec(DEFAULT_VIEW, 0, 0);
const pin = (...path: number[]) => ({ label: path.join(), spec, path });

it('pins a node once, and takes it away again', () => {
  const pins = createPins();
  pins.togglePin(pin(1, 2));
  pins.togglePin(pin(1));
  expect(pins.pinned.value.map(({ label }) => label)).toEqual(['1,2', '1']);
  expect(pins.isPinned(pin(1, 2))).toBe(true);
  expect(pins.isPinned({ ...pin(1, 2), spec: { ...spec, metric: 1 } })).toBe(false);
  pins.togglePin(pin(1, 2));
  expect(pins.pinned.value.map(({ label }) => label)).toEqual(['1']);
});

it('keeps the last twelve', () => {
  const pins = createPins();
  for (let node = 0; node < 20; node++) pins.togglePin(pin(node));
  expect(pins.pinned.value.map(({ label }) => label)).toEqual(
    Array.from({ length: 12 }, (_, index) => `${index + 8}`),
  );
  pins.clearPins();
  expect(pins.pinned.value).toEqual([]);
});
