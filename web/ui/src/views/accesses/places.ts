/** How the cells of a container are put on a plane. */
export interface Places {
  /** Elements of a cell by dimension, outermost first. */
  readonly bins: readonly number[];
  /** Cells by dimension. */
  readonly cells: readonly number[];
  /** By dimension, how far the next cell is, in pixels. */
  readonly steps: readonly { readonly x: number; readonly y: number }[];
  /** The side of a cell in pixels. */
  readonly side: number;
  readonly width: number;
  readonly height: number;
}

/** Room between blocks of an outer dimension, in pixels, growing outwards. */
const GAP = 6;
/** No canvas is larger; browsers refuse those that are. */
const LARGEST = 4096;

/**
 * Puts the two innermost dimensions as a grid, and outer ones around it in alternating directions, the first
 * of them beside each other. Where there is no room for all, neighbours along the longest side become one cell.
 */
export function placed(shape: readonly number[], side: number): Places {
  const bins = shape.map(() => 1);
  for (;;) {
    const places = laidOut(shape, bins, side);
    const isWide = places.width > LARGEST;
    if (!isWide && places.height <= LARGEST) return places;
    // The dimension that takes most room in the direction that is too long.
    const along = (dimension: number) => {
      const step = places.steps[dimension]!;
      return (isWide ? step.x : step.y) * places.cells[dimension]!;
    };
    const candidates = shape
      .map((_, dimension) => dimension)
      .filter((dimension) => places.cells[dimension]! > 1 && along(dimension) > 0);
    const longest = candidates.reduce(
      (best, one) => (places.cells[one]! > places.cells[best]! ? one : best),
      candidates[0]!,
    );
    bins[longest] = bins[longest]! * 2;
  }
}

function laidOut(shape: readonly number[], bins: readonly number[], side: number): Places {
  const cells = shape.map((size, dimension) => Math.ceil(size / bins[dimension]!));
  const steps = shape.map(() => ({ x: 0, y: 0 }));
  let [width, height] = [side, side];
  for (let from = shape.length - 1, level = 0; from >= 0; from -= 1, level += 1) {
    const count = cells[from]!;
    // The last dimension goes across, the one before down, then across again, and so on.
    const isAcross = level % 2 === 0;
    const gap = level < 2 ? 0 : GAP * (level - 1);
    if (isAcross) {
      steps[from] = { x: width + gap, y: 0 };
      width = count * (width + gap) - gap;
    } else {
      steps[from] = { x: 0, y: height + gap };
      height = count * (height + gap) - gap;
    }
  }
  return {
    bins: [...bins],
    cells,
    steps,
    side,
    width: Math.max(0, width),
    height: Math.max(0, height),
  };
}

/** The corner of a cell by its place in row-major order. */
export function cornerOf(places: Places, cell: number): { x: number; y: number } {
  let rest = cell;
  let [x, y] = [0, 0];
  for (let dimension = places.cells.length - 1; dimension >= 0; dimension -= 1) {
    const size = places.cells[dimension]!;
    const index = rest % size;
    rest = Math.floor(rest / size);
    x += index * places.steps[dimension]!.x;
    y += index * places.steps[dimension]!.y;
  }
  return { x, y };
}

/** The cell at a point by dimension; undefined between cells and outside. */
export function cellAt(places: Places, x: number, y: number): readonly number[] | undefined {
  const rest = { x, y };
  const indices: number[] = [];
  for (const [dimension, step] of places.steps.entries()) {
    const axis = step.x > 0 ? 'x' : 'y';
    const index = Math.min(Math.floor(rest[axis] / step[axis]), places.cells[dimension]! - 1);
    if (index < 0) return undefined;
    rest[axis] -= index * step[axis];
    indices.push(index);
  }
  const isInside = rest.x >= 0 && rest.y >= 0 && rest.x < places.side && rest.y < places.side;
  return isInside ? indices : undefined;
}

/** The cell of an element. */
export function cellOfElement(places: Places, shape: readonly number[], element: number): number {
  let rest = element;
  let [cell, step] = [0, 1];
  for (let dimension = shape.length - 1; dimension >= 0; dimension -= 1) {
    const index = rest % shape[dimension]!;
    rest = Math.floor(rest / shape[dimension]!);
    cell += Math.floor(index / places.bins[dimension]!) * step;
    step *= places.cells[dimension]!;
  }
  return cell;
}

/** The side of a cell with which a container fits a width, from 3 to 24 pixels. */
export function fittingSide(shape: readonly number[], width: number, height: number): number {
  for (const side of [24, 20, 16, 13, 11, 9, 7, 6, 5, 4, 3]) {
    const own = laidOut(
      shape,
      shape.map(() => 1),
      side,
    );
    if (own.width <= width && own.height <= height) return side;
  }
  return 3;
}
