import type { Filter } from '@hotframe/engine';

/** A part of time, in nanoseconds after the first of all. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The narrowest window: doubles tell tenths of nanoseconds apart for three months. */
const NARROWEST = 10;

/** Zooms by `factor` (below 1: closer) so that the time at `anchor` (0 to 1 of the window) stays. */
export function zoomWindow(window: Window, factor: number, anchor: number, length: number): Window {
  const span = window.to - window.from;
  const wanted = Math.min(Math.max(length, NARROWEST), Math.max(NARROWEST, span * factor));
  const fixed = window.from + span * anchor;
  return clampWindow({ from: fixed - wanted * anchor, to: fixed + wanted * (1 - anchor) }, length);
}

/** Moves by `share` of the window's own width. */
export function panWindow(window: Window, share: number, length: number): Window {
  const by = (window.to - window.from) * share;
  return clampWindow({ from: window.from + by, to: window.to + by }, length);
}

/** The same width, pushed back into the recording. */
export function clampWindow({ from, to }: Window, length: number): Window {
  const span = Math.min(Math.max(length, NARROWEST), Math.max(NARROWEST, to - from));
  const start = Math.min(Math.max(0, from), Math.max(0, length - span));
  return { from: start, to: start + span };
}

/** The window that shows a stretch with some room around it. */
export function windowAround(begin: number, length: number, whole: number): Window {
  const room = Math.max(length * 0.15, NARROWEST / 2);
  return clampWindow({ from: begin - room, to: begin + length + room }, whole);
}

const UNITS: readonly { readonly size: number; readonly symbol: string }[] = [
  { size: 1e9, symbol: 's' },
  { size: 1e6, symbol: 'ms' },
  { size: 1e3, symbol: 'us' },
  { size: 1, symbol: 'ns' },
];

/** A time as filters are written, exact to `step` nanoseconds: `1.204s`. */
export function timeText(nanoseconds: number, step = 1): string {
  const rounded = Math.round(nanoseconds / step) * step;
  const size = Math.abs(rounded);
  const { size: scale, symbol } = UNITS.find((unit) => size >= unit.size) ?? UNITS[3]!;
  const digits = Math.max(0, Math.round(Math.log10(scale)) - Math.floor(Math.log10(step)));
  const text = (rounded / scale).toFixed(digits);
  return `${digits > 0 ? text.replace(/\.?0+$/, '') : text}${symbol}`;
}

/** The same for reading. */
export function timeLabel(nanoseconds: number, step = 1): string {
  return timeText(nanoseconds, step)
    .replace(/([a-z]+)$/, ' $1')
    .replace('us', 'µs');
}

/** The power of ten at or below a length: what is finer one cannot point at. */
export function stepOf(unit: number): number {
  return Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, unit))));
}

/** A range of time as a filter, as fine as one view unit is long. */
export function rangePattern(origin: number, { from, to }: Window, unit: number): string {
  const step = stepOf(unit);
  const [begin, end] = [Math.floor((origin + from) / step), Math.ceil((origin + to) / step)];
  return `${timeText(begin * step, step)}..${timeText(Math.max(end, begin + 1) * step, step)}`;
}

const SIZES: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  min: 6e10,
  h: 3.6e12,
};

/** The stretches of a filter of time, as far as they can be read. */
export function rangesOf(origin: number, length: number, pattern: string): readonly Window[] {
  return pattern.split(',').flatMap((range) => {
    const ends = range.split('..');
    if (ends.length !== 2) return [];
    const unit = /[a-zµμ]+\s*$/.exec(ends[1]!)?.[0]?.trim();
    const read = (text: string, open: number) => {
      if (text.trim() === '') return open;
      const found = /^\s*(-?[\d.]+)\s*([a-zµμ]*)\s*$/.exec(text);
      const size = SIZES[found?.[2] || (unit ?? '')] ?? Number.NaN;
      return Math.round(Number(found?.[1]) * size) - origin;
    };
    const [from, to] = [read(ends[0]!, 0), read(ends[1]!, length)];
    return from < to ? [{ from, to }] : [];
  });
}

/** The stretches of all filters of time. */
export function timeRanges(
  filters: readonly Filter[],
  origin: number,
  length: number,
): readonly Window[] {
  return filters.flatMap(({ kind, pattern }) =>
    kind === 'time' ? rangesOf(origin, length, pattern) : [],
  );
}

/** A range in the place of those that are there; none where undefined. */
export function withRange(
  filters: readonly Filter[],
  pattern: string | undefined,
): readonly Filter[] {
  const others = filters.filter(({ kind }) => kind !== 'time');
  return pattern === undefined ? others : [...others, { kind: 'time', pattern }];
}

/**
 * Times with lines in parts of time, at least `room` pixels between two of them: what is said of them,
 * `origin` later, is round.
 */
export function ticksOf(
  parts: readonly Window[],
  unit: number,
  origin = 0,
  room = 90,
): { readonly step: number; readonly times: readonly number[] } {
  const least = unit * room;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= least) ?? power;
  const times = parts.flatMap(({ from, to }) => {
    const first = Math.ceil((origin + from) / step);
    return Array.from(
      { length: Math.max(0, Math.floor((origin + to) / step) - first + 1) },
      (_, index) => (first + index) * step - origin,
    );
  });
  return { step, times };
}
