/** Ratios on a logarithmic axis, equal steps for equal factors. */

export interface RatioAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** More than that either way is cut off, and marked so. */
const MOST = 16;

/** A little more than the differences that anybody draws. */
const LEAST = 1.02;

/** What ticks may stand at, besides 1 and what is 1 over them. */
const STEPS = [1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 4, 8, 16];

/** An axis that holds all intervals and 1, as wide on either side of it. */
export function ratioAxis(
  intervals: readonly (readonly [low: number, high: number])[],
  mostTicks = 5,
): RatioAxis {
  const far = intervals
    .flatMap(([low, high]) => [1 / low, low, 1 / high, high])
    .map((value) => (Number.isFinite(value) ? value : MOST))
    .reduce((most, value) => Math.max(most, value), LEAST);
  const high = Math.min(MOST, far ** 1.08);
  const fitting = STEPS.filter((step) => step <= high);
  const count = Math.max(1, Math.floor((mostTicks - 1) / 2));
  // Of steps near each other the further one is drawn.
  const chosen: number[] = [];
  for (const step of fitting.toReversed()) {
    const room = Math.log(high) / (count + 0.5);
    const last = chosen.at(-1);
    if (chosen.length < count && Math.log(step) >= room * 0.7) {
      if (last === undefined || Math.log(last / step) >= room * 0.7) chosen.push(step);
    }
  }
  const ticks = [...chosen.map((step) => 1 / step), 1, ...chosen.toReversed()];
  return { low: 1 / high, high, ticks };
}

/** Where a ratio is on the axis, from 0 to 1; beyond it is at its end. */
export function placeOf({ low, high }: RatioAxis, ratio: number): number {
  const share = Math.log(ratio / low) / Math.log(high / low);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : ratio > 1 ? 1 : 0));
}

/** `×1.5`, `÷1.5`, `+5 %`: what a tick says. */
export function tickText(ratio: number): string {
  if (Math.abs(ratio - 1) < 1e-9) return 'equal';
  const over = ratio < 1 ? 1 / ratio : ratio;
  const rounded = Number(over.toFixed(2));
  return `${ratio < 1 ? '÷' : '×'}${rounded}`;
}

/** Values from 0 or a little below the least up, with a few round numbers in between. */
export function linearAxis(
  values: readonly number[],
  count = 4,
): { readonly low: number; readonly high: number; readonly ticks: readonly number[] } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0 || !Number.isFinite(least) || !Number.isFinite(most))
    return { low: 0, high: 1, ticks: [0] };
  const room = most - least || Math.abs(most) * 0.1 || 1;
  const raw = (room * 1.16) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? raw;
  const low = Math.floor((least - room * 0.08) / step) * step;
  const high = Math.ceil((most + room * 0.08) / step) * step;
  const held = least >= 0 ? Math.max(0, low) : low;
  const steps = Math.round((high - held) / step);
  return { low: held, high, ticks: Array.from({ length: steps + 1 }, (_, at) => held + at * step) };
}

/** A chance as people write it. */
export function chanceText(q: number): string {
  return q < 0.001 ? '<0.001' : q.toFixed(3);
}
