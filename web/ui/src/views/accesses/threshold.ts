/** Lines up to which the slider goes, as a power of two. */
const END = 16;
/** Places between one power of two and the next, where there are so many whole numbers. */
const BETWEEN = 8;

/** Numbers of lines that the slider has a place for, rising: each place is another number. */
export const THRESHOLDS: readonly number[] = [
  ...new Set(Array.from({ length: END * BETWEEN + 1 }, (_, at) => Math.round(2 ** (at / BETWEEN)))),
];

/** The place of the number that is nearest in proportion. */
export function placeOf(lines: number): number {
  const after = THRESHOLDS.findIndex((one) => one >= lines);
  if (after < 0) return THRESHOLDS.length - 1;
  if (after === 0) return 0;
  const [below, above] = [THRESHOLDS[after - 1]!, THRESHOLDS[after]!];
  return lines / below < above / lines ? after - 1 : after;
}
