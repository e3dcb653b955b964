import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { createBoxes } from './boxes.ts';

const [folded, unfolded] = [sampleDrawing(false), sampleDrawing(true)];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('requestAnimationFrame', (tick: () => void) => setTimeout(tick, 16));
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => clearTimeout(frame));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The upper edge of the box below the one that unfolds. */
const topOf = (boxes: ReturnType<typeof createBoxes>, box: number) =>
  boxes.rects.value.rects[box * 4 + 1];

it('boxes go from where they were to where they are', () => {
  const boxes = createBoxes();
  boxes.settle(folded);
  expect([topOf(boxes, 5), boxes.rects.value.settled]).toEqual([200, 1]);
  boxes.move(folded, unfolded, 0, 0);
  expect([topOf(boxes, 7), boxes.rects.value.settled]).toEqual([200, 0]);
  vi.advanceTimersByTime(60);
  expect(topOf(boxes, 7)).toBeGreaterThan(200);
  expect(topOf(boxes, 7)).toBeLessThan(300);
  vi.advanceTimersByTime(1000);
  expect([topOf(boxes, 7), boxes.rects.value.settled]).toEqual([300, 1]);
});

it('another drawing ends a motion', () => {
  const boxes = createBoxes();
  boxes.move(folded, unfolded, 0, 0);
  boxes.settle(folded);
  vi.advanceTimersByTime(1000);
  expect(topOf(boxes, 5)).toBe(200);
  boxes.dispose();
});
