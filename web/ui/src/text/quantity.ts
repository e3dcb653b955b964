import type { CostCertainty, GraphCost } from '@hotframe/engine';
/** Numbers of costs: large, with the unit's own steps, never rounded to nothing. */

interface Step {
  readonly size: number;
  readonly symbol: string;
}

const COUNTS: readonly Step[] = [
  { size: 1e18, symbol: 'E' },
  { size: 1e15, symbol: 'P' },
  { size: 1e12, symbol: 'T' },
  { size: 1e9, symbol: 'G' },
  { size: 1e6, symbol: 'M' },
  { size: 1e3, symbol: 'k' },
  { size: 1, symbol: '' },
];
const BYTES: readonly Step[] = [
  { size: 2 ** 60, symbol: 'EiB' },
  { size: 2 ** 50, symbol: 'PiB' },
  { size: 2 ** 40, symbol: 'TiB' },
  { size: 2 ** 30, symbol: 'GiB' },
  { size: 2 ** 20, symbol: 'MiB' },
  { size: 2 ** 10, symbol: 'KiB' },
  { size: 1, symbol: 'B' },
];
const TIMES: readonly Step[] = [
  { size: 1e9, symbol: 's' },
  { size: 1e6, symbol: 'ms' },
  { size: 1e3, symbol: 'µs' },
  { size: 1, symbol: 'ns' },
];
/** Units that are said in short behind a number. */
const SHORT: Readonly<Record<string, string>> = {
  operations: 'op',
  elements: 'el',
  accesses: 'acc',
  count: '',
  'operations/byte': 'op/B',
  'operations/element': 'op/el',
  'operations/second': 'op/s',
};

/** A value with at most three significant digits; `short` leaves out what the legend says. */
export function formatQuantity(value: number, unit: string): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  const sign = value < 0 ? '−' : '';
  const size = Math.abs(value);
  if (unit === 'bytes') return sign + inSteps(size, BYTES, true);
  if (unit === 'bytes/second') return `${sign}${inSteps(size, BYTES, true)}/s`;
  if (unit === 'nanoseconds') return sign + inSteps(size, TIMES, true);
  const short = SHORT[unit] ?? unit;
  const number = sign + inSteps(size, COUNTS, false);
  if (short === '') return number;
  return /[kMGTPE]$/.test(number) ? `${number}${short}` : `${number} ${short}`;
}

const CERTAINTY: Readonly<Record<CostCertainty, { readonly sign: string; readonly word: string }>> =
  {
    exact: { sign: '', word: 'exact' },
    at_most: { sign: '≤ ', word: 'at most' },
    estimated: { sign: '≈ ', word: 'estimated' },
    unknown: { sign: '≈ ', word: 'with a value for what is not known' },
    measured: { sign: '', word: 'measured' },
  };

/** A cost with the sign of what can be said of it: `≤ 4 kB`. */
export function formatCost({ value, unit, certainty }: GraphCost): string {
  return value === null ? '?' : CERTAINTY[certainty].sign + formatQuantity(value, unit);
}

/** All that is known of a cost, for a tooltip. */
export function costTitle({ value, exact, unit, certainty, expression, note }: GraphCost): string {
  if (value === null) return note || 'a symbol is not set';
  const digits = `${formatAllDigits(value, exact, unit)}, ${CERTAINTY[certainty].word}`;
  return [digits, expression, note].filter((line) => line !== '').join('\n');
}

/** A difference with its sign. */
export function formatDifference(value: number, unit: string): string {
  const text = formatQuantity(value, unit);
  return value > 0 ? `+${text}` : text;
}

/** All digits that are known, in groups of three. */
export function formatAllDigits(value: number, exact: string | null, unit: string): string {
  const digits = exact ?? (Number.isInteger(value) ? value.toFixed(0) : String(value));
  const [whole = '', fraction] = digits.split('.');
  const grouped = /^-?\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${unit}`.trimEnd();
}

function inSteps(size: number, steps: readonly Step[], apart: boolean): string {
  if (size === 0) return apart ? `0 ${steps.at(-1)!.symbol}` : '0';
  const step = steps.find((one) => size >= one.size * 0.9995) ?? steps.at(-1)!;
  if (size / step.size >= 1e4) {
    const power = size.toExponential(2).replace('e+', 'e');
    return `${power} ${steps.at(-1)!.symbol}`.trimEnd();
  }
  const number = threeDigits(size / step.size);
  if (step.symbol === '') return number;
  return apart || step.symbol !== '' ? `${number} ${step.symbol}` : number;
}

function threeDigits(value: number): string {
  if (value < 1e-3) return value.toExponential(1).replace('e+', 'e');
  if (value < 0.1) return value.toPrecision(2).replace(/0+$/, '');
  const text = value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
