import type { Rect } from '../../canvas/rect.ts';

/** Labels are sorted into squares of the screen so that each is compared with few others. */
const SQUARE = 64;

/** Keeps labels from lying on each other: first come, first served. */
export class LabelPlaces {
  readonly #squares = new Map<number, Rect[]>();

  /** Takes a place on the screen if nothing is there yet. */
  take(rect: Rect): boolean {
    const squares = [...squaresOf(rect)];
    for (const square of squares) {
      for (const other of this.#squares.get(square) ?? []) {
        if (
          rect.x < other.x + other.width &&
          other.x < rect.x + rect.width &&
          rect.y < other.y + other.height &&
          other.y < rect.y + rect.height
        ) {
          return false;
        }
      }
    }
    for (const square of squares) {
      const taken = this.#squares.get(square);
      if (taken === undefined) this.#squares.set(square, [rect]);
      else taken.push(rect);
    }
    return true;
  }
}

function* squaresOf({ x, y, width, height }: Rect): Iterable<number> {
  const right = Math.floor((x + width) / SQUARE);
  const bottom = Math.floor((y + height) / SQUARE);
  for (let column = Math.floor(x / SQUARE); column <= right; column++) {
    for (let row = Math.floor(y / SQUARE); row <= bottom; row++) yield column * 65_536 + row;
  }
}
