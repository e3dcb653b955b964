import { formatQuantity } from '../../text/quantity.ts';

/** A logarithmic axis from values to a range of pixels. */
export interface LogAxis {
  readonly from: number;
  readonly to: number;
  /** The pixel of a value. */
  at(value: number): number;
  readonly ticks: readonly number[];
}

/** Most labelled ticks of an axis. */
const MOST_TICKS = 7;

/** An axis that holds all of `values`, from powers of `base` to powers of it. */
export function logAxis(
  values: readonly number[],
  start: number,
  end: number,
  base: 2 | 10,
): LogAxis | undefined {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return undefined;
  const log = (value: number) => (base === 2 ? Math.log2(value) : Math.log10(value));
  const slack = 1e-9;
  const low = Math.floor(log(Math.min(...positive)) + slack);
  const highest = Math.ceil(log(Math.max(...positive)) - slack);
  const high = Math.max(low + 1, highest);
  const least = Math.ceil((high - low) / (MOST_TICKS - 1));
  // Large steps of two are steps of 1,024, whose labels are short.
  const step = base === 2 && least > 3 ? Math.ceil(least / 10) * 10 : least;
  const ticks: number[] = [];
  const begin = step >= 10 ? Math.ceil(low / step) * step : low;
  for (let power = begin; power <= high; power += step) ticks.push(base ** power);
  return {
    from: base ** low,
    to: base ** high,
    at: (value) => start + ((log(value) - low) / (high - low)) * (end - start),
    ticks,
  };
}

/** A power of two in short: all digits of sizes that people know by heart. */
export function sizeLabel(value: number): string {
  return value < 1e5 ? String(value) : formatQuantity(value, '');
}

/** Positions of a slider over a symbol's values: whole numbers, spread by their logarithm. */
export const SLIDER_STEPS = 400;
const LARGEST = 2 ** 20;

/** The largest value of a slider that begins at `suggested`. */
export function sliderEnd(suggested: number): number {
  return Math.max(LARGEST, 2 ** Math.ceil(Math.log2(Math.max(1, suggested)) + 4));
}

export function sliderAt(value: number, end: number): number {
  return Math.round((Math.log2(Math.max(1, value)) / Math.log2(end)) * SLIDER_STEPS);
}

/** The nearest size to what was typed: a whole number, not below 0, that an address keeps. */
export function sizeFrom(typed: number): number {
  return Math.min(Math.max(0, Math.round(typed)), Number.MAX_SAFE_INTEGER);
}

/** The value at a step; powers of two are met exactly, because sizes mostly are. */
export function sliderValue(step: number, end: number): number {
  const power = (step / SLIDER_STEPS) * Math.log2(end);
  const nearest = Math.round(power);
  const unit = Math.log2(end) / SLIDER_STEPS;
  return Math.abs(power - nearest) <= unit * 0.75 ? 2 ** nearest : Math.round(2 ** power);
}
