/** One bar of a series: a member, or the highest of several where there is no room for each. */
export interface Bar {
  readonly first: number;
  readonly last: number;
  readonly highest: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether it would be higher: it stands too far apart for the scale of the others. */
  readonly clipped: boolean;
}

/** How much higher than all others those that stand apart may be before they are clipped. */
const MOST_STRETCH = 3;

/** Narrower bars are drawn together. */
const NARROWEST = 1.5;

/**
 * Bars from left to right in a box, the values from their smallest (or zero) at the bottom to
 * their largest at the top. A value that is not zero is at least a line. Those that stand `apart`
 * do not press the others flat.
 */
export function barsOf(
  values: BigInt64Array,
  width: number,
  height: number,
  apart: ReadonlySet<number> = new Set(),
): readonly Bar[] {
  if (values.length === 0) return [];
  const numbers = Array.from(values, Number);
  const all = numbers.reduce((a, b) => Math.max(a, b), 0);
  const others = numbers.reduce((a, b, index) => (apart.has(index) ? a : Math.max(a, b)), 0);
  const top = others > 0 && all > MOST_STRETCH * others ? others * 1.25 : all;
  const bottom = numbers.reduce((a, b) => Math.min(a, b), 0);
  const scale = top > bottom ? height / (top - bottom) : 0;
  const together = Math.max(1, Math.ceil((values.length * NARROWEST) / width));
  const count = Math.ceil(values.length / together);
  const step = width / count;
  return Array.from({ length: count }, (_, index) => {
    const first = index * together;
    const last = Math.min(values.length, first + together) - 1;
    let highest = first;
    for (let member = first; member <= last; member++) {
      if (Math.abs(numbers[member]!) > Math.abs(numbers[highest]!)) highest = member;
    }
    const value = numbers[highest]!;
    const size = value === 0 ? 0 : Math.max(1, Math.abs(Math.min(value, top)) * scale);
    const zero = top * scale;
    return {
      first,
      last,
      highest,
      x: index * step,
      y: Math.max(0, value > 0 ? zero - size : Math.min(zero, height - size)),
      width: Math.max(0.5, step - (step > 4 ? 1 : 0.3)),
      height: size,
      clipped: value > top,
    };
  });
}
