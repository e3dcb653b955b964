import { type ReadonlySignal, signal } from '@preact/signals';
import { createMotion } from '../../canvas/motion.ts';
import type { Drawing } from '../../state/graph-drawing.ts';
import { placedBetween, type PlacedRects, rectsOf, startsOf } from './fold-motion.ts';

/** Long enough to see where things go, short enough not to wait for. */
const FOLD_MS = 180;

/** Where boxes are drawn, on the way or settled. */
export function createBoxes() {
  const rects = signal<PlacedRects>({ rects: new Float64Array(0), settled: 1 });
  const motion = createMotion(rects, placedBetween);
  const settled = (drawing: Drawing): PlacedRects => ({ rects: rectsOf(drawing), settled: 1 });
  return {
    /** Left, top, width and height by box. */
    rects: rects as ReadonlySignal<PlacedRects>,
    /** Boxes are where a drawing has them. */
    settle(drawing: Drawing) {
      motion.stop();
      rects.value = settled(drawing);
    },
    /** Boxes go from where they were to where they are now; the ground has moved by so much. */
    move(before: Drawing, drawing: Drawing, dx: number, dy: number) {
      motion.stop();
      rects.value = { rects: startsOf(before, drawing, dx, dy), settled: 0 };
      void motion.moveTo(settled(drawing), FOLD_MS);
    },
    dispose: motion.stop,
  };
}
