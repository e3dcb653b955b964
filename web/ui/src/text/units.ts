/** A metric's unit as the file has it, and how its integers scale. */
export interface Unit {
  readonly unit: string;
  /** Values are integers that count 10^-decimals of the unit. */
  readonly decimals: number;
}

interface Step {
  readonly size: bigint;
  readonly symbol: string;
  /** From how many of it on it is used. */
  readonly from: bigint;
}

/** Minutes and hours only where seconds grow long. */
const TIME: readonly Step[] = [
  { size: 3_600_000_000_000n, symbol: 'h', from: 10n },
  { size: 60_000_000_000n, symbol: 'min', from: 10n },
  { size: 1_000_000_000n, symbol: 's', from: 1n },
  { size: 1_000_000n, symbol: 'ms', from: 1n },
  { size: 1_000n, symbol: 'µs', from: 1n },
  { size: 1n, symbol: 'ns', from: 1n },
];
const BYTES: readonly Step[] = [
  { size: 1n << 50n, symbol: 'PiB', from: 1n },
  { size: 1n << 40n, symbol: 'TiB', from: 1n },
  { size: 1n << 30n, symbol: 'GiB', from: 1n },
  { size: 1n << 20n, symbol: 'MiB', from: 1n },
  { size: 1n << 10n, symbol: 'KiB', from: 1n },
  { size: 1n, symbol: 'B', from: 1n },
];

/** How many of the smallest step one of a unit is; units not listed here are counts. */
const KNOWN: Readonly<Record<string, { readonly steps: readonly Step[]; readonly each: bigint }>> =
  {
    ...named(TIME, 1n, ['ns', 'nanosecond']),
    ...named(TIME, 1_000n, ['us', 'µs', '\u03bcs', 'microsecond']),
    ...named(TIME, 1_000_000n, ['ms', 'millisecond']),
    ...named(TIME, 1_000_000_000n, ['s', 'sec', 'second']),
    ...named(TIME, 60_000_000_000n, ['min', 'minute']),
    ...named(TIME, 3_600_000_000_000n, ['hr', 'hour']),
    ...named(BYTES, 1n, ['b', 'byte']),
    ...named(BYTES, 1n << 10n, ['kb', 'kib', 'kbyte', 'kilobyte']),
    ...named(BYTES, 1n << 20n, ['mb', 'mib', 'mbyte', 'megabyte']),
    ...named(BYTES, 1n << 30n, ['gb', 'gib', 'gbyte', 'gigabyte']),
    ...named(BYTES, 1n << 40n, ['tb', 'tib', 'tbyte', 'terabyte']),
    ...named(BYTES, 1n << 50n, ['pb', 'pib', 'pbyte', 'petabyte']),
  };

/** Units that say nothing that the number does not. */
const SILENT: ReadonlySet<string> = new Set(['', 'count', 'sample', 'object']);

/** Digits after the point that are ever told. */
const MOST_DIGITS = 18;

/** What a derived metric has where its formula gives no value. */
export const NO_VALUE = -(2n ** 63n);

/**
 * A value for reading: three significant digits and the unit that suits its size, counts in full.
 * The engine's texts are the same: both are tested with `testdata/units.tsv`.
 */
export function formatValue(value: bigint, unit: Unit): string {
  if (value === NO_VALUE) return '–';
  if (value === 0n) return '0';
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  const under = 10n ** BigInt(unit.decimals);
  const known = lookUp(unit.unit);
  if (known === undefined) {
    const name = unit.unit.trim();
    const number = sign + countDigits(size, under);
    const said = singular(name) === 'percent' ? '%' : name;
    return SILENT.has(singular(name)) ? number : `${number} ${said}`;
  }
  const over = size * known.each;
  // What rounds up to a step is in it: 999.7 ms is 1 s.
  const fits = (step: Step) => over * 10_000n >= under * step.size * step.from * 9_995n;
  const step = known.steps.find(fits) ?? known.steps.at(-1)!;
  return `${sign}${threeDigits(over, under * step.size)} ${step.symbol}${known.per}`;
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

/** A difference that may lie between two integers, with its sign. */
export function formatFigureChange(value: number, unit: Unit): string {
  return `${value > 0 ? '+' : ''}${formatFigure(value, unit)}`;
}

/** The exact value in the file's own unit. */
export function formatExact(value: bigint, unit: Unit): string {
  if (value === NO_VALUE) return 'no value';
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(unit.decimals + 1, '0');
  const split = digits.length - unit.decimals;
  const fraction = digits.slice(split).replace(/0+$/, '');
  const whole = groupThousands(digits.slice(0, split));
  // What is counted, the metric says.
  const name = singular(unit.unit.trim()) === 'count' ? '' : unit.unit;
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`} ${name}`.trimEnd();
}

/** A share (0 to 1) as a percentage; values too small to show say so instead of reading 0. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  const size = Math.abs(percent);
  if (size === 0) return '0 %';
  if (size < 0.01) return `${percent < 0 ? '-' : ''}<0.01 %`;
  return `${size < 1 ? percent.toFixed(2) : percent.toFixed(1)} %`;
}

/** A probability of chance, `p = 0.022`. */
export function formatP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

/** A share with its sign, for changes. */
export function formatShareChange(share: number): string {
  return share > 0 ? `+${formatShare(share)}` : formatShare(share);
}

/** `part` of `whole` as 0 to 1; NaN where there is no whole. */
export function shareOf(part: bigint, whole: bigint): number {
  if (whole === 0n || part === NO_VALUE || whole === NO_VALUE) return Number.NaN;
  return Number(part) / Math.abs(Number(whole));
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

function named(steps: readonly Step[], each: bigint, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { steps, each }]));
}

function lookUp(unit: string) {
  const [whole = '', ...per] = unit.trim().split('/');
  const name = singular(whole.trim());
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  return known && { ...known, per: per.map((one) => `/${perText(one.trim())}`).join('') };
}

/** What something is for each of. */
function perText(name: string): string {
  const one = singular(name);
  return one === 'second' ? 's' : one === 'byte' ? 'B' : name;
}

function singular(unit: string): string {
  const name = unit.toLowerCase();
  return name.length > 2 ? name.replace(/s$/, '') : name;
}

/** `over / under` with three digits, or all that stand before the point. */
function threeDigits(over: bigint, under: bigint): string {
  let digits = 0;
  const reaches = () => over * 10n ** BigInt(digits) * 100n >= under * 9995n;
  while (digits < MOST_DIGITS && !reaches()) digits += 1;
  return rounded(over, under, digits);
}

function countDigits(over: bigint, under: bigint): string {
  if (over < under) return threeDigits(over, under);
  const [whole = '', fraction] = rounded(over, under, 3).split('.');
  const grouped = groupThousands(whole);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Halves are rounded up; zeros at the end are left out. */
function rounded(over: bigint, under: bigint, digits: number): string {
  const power = 10n ** BigInt(digits);
  const scaled = (over * power * 2n + under) / (2n * under);
  const whole = (scaled / power).toString();
  const fraction = digits === 0 ? '' : (scaled % power).toString().padStart(digits, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`.replace(/\.?0+$/, '');
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
