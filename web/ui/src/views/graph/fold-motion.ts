import { ancestorsOf, boxIn, type Drawing } from '../../state/graph-drawing.ts';

/** Left, top, width and height of every box, in four numbers each. */
export function rectsOf(drawing: Drawing): Float64Array {
  const { x, y, width, height } = drawing.columns;
  const rects = new Float64Array(drawing.count * 4);
  for (let box = 0; box < drawing.count; box++) {
    rects.set([x[box]!, y[box]!, width[box]!, height[box]!], box * 4);
  }
  return rects;
}

/**
 * Where the boxes of a new drawing begin when they come out of an old one: where they were, or,
 * what was not there, in the nearest box around it that was. `dx` and `dy` are how far the ground
 * moved meanwhile so that one box keeps its place on the screen.
 */
export function startsOf(before: Drawing, after: Drawing, dx: number, dy: number): Float64Array {
  const starts = rectsOf(after);
  const old = before.columns;
  for (let box = 0; box < after.count; box++) {
    const was = boxIn(before, after, box);
    if (was !== undefined) {
      starts.set([old.x[was]! + dx, old.y[was]! + dy, old.width[was]!, old.height[was]!], box * 4);
      continue;
    }
    const around = ancestorsOf(after, box).findLast((one) =>
      before.boxOfElement.has(after.columns.element[one]!),
    );
    if (around === undefined) continue;
    // Shrunk towards its place in the box around it.
    const outer = around * 4;
    const share = (value: number, from: number, size: number) => (value - from) / Math.max(1, size);
    const { x, y, width, height } = after.columns;
    const left = share(x[box]!, x[around]!, width[around]!);
    const top = share(y[box]!, y[around]!, height[around]!);
    starts.set(
      [
        starts[outer]! + left * starts[outer + 2]!,
        starts[outer + 1]! + top * starts[outer + 3]!,
        (width[box]! / Math.max(1, width[around]!)) * starts[outer + 2]!,
        (height[box]! / Math.max(1, height[around]!)) * starts[outer + 3]!,
      ],
      box * 4,
    );
  }
  return starts;
}

/** Where boxes are drawn. */
export interface PlacedRects {
  readonly rects: Float64Array;
  /** How far they are on their way, 1 where they have arrived. */
  readonly settled: number;
}

/** Rectangles on the way from one place to another. */
export function placedBetween(from: PlacedRects, to: PlacedRects, progress: number): PlacedRects {
  const rects = from.rects.map((value, index) => value + (to.rects[index]! - value) * progress);
  return { rects, settled: progress ** 2 };
}
