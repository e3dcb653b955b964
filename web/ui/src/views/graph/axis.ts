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
  const step = Math.ceil((high - low) / (MOST_TICKS - 1));
  const ticks: number[] = [];
  for (let power = low; power <= high; power += step) ticks.push(base ** power);
  return {
    from: base ** low,
    to: base ** high,
    at: (value) => start + ((log(value) - low) / (high - low)) * (end - start),
    ticks,
  };
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

/** The value at a step; powers of two are met exactly, because sizes mostly are. */
export function sliderValue(step: number, end: number): number {
  const power = (step / SLIDER_STEPS) * Math.log2(end);
  const nearest = Math.round(power);
  const unit = Math.log2(end) / SLIDER_STEPS;
  return Math.abs(power - nearest) <= unit * 0.75 ? 2 ** nearest : Math.round(2 ** power);
}
