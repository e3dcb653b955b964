import { rampClasses } from '../charts/ramp.ts';

/** Cells that differ by less than this from the best are not told apart by the strongest colour. */
const LEAST_RANGE = 1.25;

/** The ratio at the strong end of the colours. */
export function strongest(ratios: readonly (number | null)[]): number {
  return ratios.reduce<number>((most, one) => Math.max(most, one ?? 0), LEAST_RANGE);
}

/** The class of the ramp for how many times the best a cell is. */
export function heatClass(ratio: number | null, most: number): number | undefined {
  if (ratio === null || !(ratio > 0)) return undefined;
  const classes = rampClasses();
  const share = Math.log(Math.max(1, ratio)) / Math.log(most);
  return classes[Math.min(classes.length - 1, Math.floor(share * classes.length))];
}
