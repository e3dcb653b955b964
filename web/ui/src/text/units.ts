/** A metric's unit as the file has it, and how its integers scale. */
export interface Unit {
  readonly unit: string;
  /** Values are integers that count 10^-decimals of the unit. */
  readonly decimals: number;
}

interface Step {
  readonly size: number;
  readonly symbol: string;
}

const TIME: readonly Step[] = [
  { size: 1e9, symbol: 's' },
  { size: 1e6, symbol: 'ms' },
  { size: 1e3, symbol: 'µs' },
  { size: 1, symbol: 'ns' },
];
const BYTES: readonly Step[] = [
  { size: 2 ** 50, symbol: 'PiB' },
  { size: 2 ** 40, symbol: 'TiB' },
  { size: 2 ** 30, symbol: 'GiB' },
  { size: 2 ** 20, symbol: 'MiB' },
  { size: 2 ** 10, symbol: 'KiB' },
  { size: 1, symbol: 'B' },
];

/** How many of the smallest step one of a unit is; units not listed here are counts. */
const KNOWN: Readonly<Record<string, { readonly steps: readonly Step[]; readonly each: number }>> =
  {
    ns: { steps: TIME, each: 1 },
    nanosecond: { steps: TIME, each: 1 },
    us: { steps: TIME, each: 1e3 },
    µs: { steps: TIME, each: 1e3 },
    microsecond: { steps: TIME, each: 1e3 },
    ms: { steps: TIME, each: 1e6 },
    millisecond: { steps: TIME, each: 1e6 },
    s: { steps: TIME, each: 1e9 },
    sec: { steps: TIME, each: 1e9 },
    second: { steps: TIME, each: 1e9 },
    min: { steps: TIME, each: 60e9 },
    minute: { steps: TIME, each: 60e9 },
    hour: { steps: TIME, each: 3600e9 },
    b: { steps: BYTES, each: 1 },
    byte: { steps: BYTES, each: 1 },
    kb: { steps: BYTES, each: 2 ** 10 },
    kib: { steps: BYTES, each: 2 ** 10 },
    kilobyte: { steps: BYTES, each: 2 ** 10 },
    mb: { steps: BYTES, each: 2 ** 20 },
    mib: { steps: BYTES, each: 2 ** 20 },
    megabyte: { steps: BYTES, each: 2 ** 20 },
    gb: { steps: BYTES, each: 2 ** 30 },
    gib: { steps: BYTES, each: 2 ** 30 },
    gigabyte: { steps: BYTES, each: 2 ** 30 },
  };

/** What a derived metric has where its formula gives no value. */
export const NO_VALUE = -(2n ** 63n);

/** A value for reading: three significant digits and the unit that suits its size. */
export function formatValue(value: bigint, unit: Unit): string {
  if (value === NO_VALUE) return '–';
  const known = lookUp(unit.unit);
  const number = Number(value) / 10 ** unit.decimals;
  if (known === undefined) return joinUnit(formatCount(number, unit), unit.unit);
  const base = number * known.each;
  if (base === 0) return '0';
  const step = known.steps.find((s) => roundsUpTo(Math.abs(base), s.size)) ?? known.steps.at(-1)!;
  return `${threeDigits(base / step.size)} ${step.symbol}`;
}

/** A figure in a metric's own integers, which need not be whole. */
export function formatFigure(value: number, unit: Unit): string {
  return formatValue(BigInt(Math.round(value)), unit);
}

/** A difference with its sign. */
export function formatChange(value: bigint, unit: Unit): string {
  const text = formatValue(value, unit);
  return value > 0n ? `+${text}` : text;
}

/** The exact value in the file's own unit. */
export function formatExact(value: bigint, unit: Unit): string {
  if (value === NO_VALUE) return 'no value';
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(unit.decimals + 1, '0');
  const split = digits.length - unit.decimals;
  const fraction = digits.slice(split).replace(/0+$/, '');
  const whole = groupThousands(digits.slice(0, split));
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`} ${unit.unit}`.trimEnd();
}

/** A share (0 to 1) as a percentage; values too small to show say so instead of reading 0. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  const size = Math.abs(percent);
  if (size === 0) return '0 %';
  if (size < 0.01) return `${percent < 0 ? '−' : ''}< 0.01 %`;
  return `${size < 1 ? percent.toFixed(2) : percent.toFixed(1)} %`;
}

/** `part` of `whole` as 0 to 1; NaN where there is no whole. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole === 0n || part === NO_VALUE || whole === NO_VALUE) return Number.NaN;
  return Number(part) / Number(whole);
}

/** A whole number with thousands separators. */
export function formatInteger(value: number): string {
  return groupThousands(Math.round(value).toString());
}

/** How many things there are, such as `1 thread` or `2,000 threads`. */
export function formatThings(count: number, thing: string): string {
  return `${formatInteger(count)} ${count === 1 ? thing : several(thing)}`;
}

/** A word for several things. */
export function several(thing: string): string {
  return `${thing}${thing.endsWith('s') ? 'es' : 's'}`;
}

/** Seconds as people say them. */
export function formatSeconds(seconds: number): string {
  return formatValue(BigInt(Math.round(seconds * 1e9)), { unit: 'nanoseconds', decimals: 0 });
}

/** Bytes as people say them. */
export function formatBytes(bytes: number): string {
  return formatValue(BigInt(Math.round(bytes)), { unit: 'bytes', decimals: 0 });
}

function lookUp(unit: string) {
  const name = unit.trim().toLowerCase();
  return KNOWN[name] ?? KNOWN[name.replace(/s$/, '')];
}

/** Whether three digits of `value` read better in this step: 999.7 ms is 1 s. */
function roundsUpTo(value: number, size: number): boolean {
  return value >= size * 0.9995;
}

function threeDigits(value: number): string {
  const size = Math.abs(value);
  const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const text = value.toFixed(decimals);
  return decimals > 0 ? text.replace(/\.?0+$/, '') : text;
}

function formatCount(value: number, unit: Unit): string {
  if (unit.decimals === 0) return groupThousands(value.toFixed(0));
  const [whole = '', fraction] = value.toFixed(Math.min(unit.decimals, 3)).split('.');
  const rest = fraction?.replace(/0+$/, '') ?? '';
  return rest === '' ? groupThousands(whole) : `${groupThousands(whole)}.${rest}`;
}

/** `count` says nothing that the number does not. */
function joinUnit(number: string, unit: string): string {
  return unit === '' || unit === 'count' ? number : `${number} ${unit}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
