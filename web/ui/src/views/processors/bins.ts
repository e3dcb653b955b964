import type { EventBinsColumns, EventBinsResult, EventEntry, EventFigures } from '@hotframe/engine';
import { timeLabel } from '../timeline/times.ts';

/** An event or metric over time: by set of runs, then group, then bin. */
export interface Bins {
  readonly result: EventBinsResult;
  readonly columns: EventBinsColumns;
}

/** A bin of a group and a set. */
export interface Cell {
  readonly value: number | undefined;
  readonly samples: number;
  readonly error: number | undefined;
  readonly isEnough: boolean;
}

export function cellOf({ result, columns }: Bins, set: number, group: number, bin: number): Cell {
  const at = (set * result.groups.length + group) * result.bins + bin;
  const number = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? undefined : value;
  return {
    value: number(columns.value[at]),
    samples: columns.samples[at] ?? 0,
    error: number(columns.error[at]),
    isEnough: columns.enough[at] === 1,
  };
}

/** The largest value that is told as a fact; of all where none is. */
export function mostOf({ columns }: Bins): number {
  let [sure, any] = [0, 0];
  columns.value.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    any = Math.max(any, value);
    if (columns.enough[at] === 1) sure = Math.max(sure, value);
  });
  return sure > 0 ? sure : any;
}

/** When a bin is, or which part of a run. */
export function binLabel({ result }: Bins, origin: number, bin: number, progress: boolean): string {
  const { begin, width } = result;
  if (progress) {
    const digits = result.bins > 100 ? 1 : 0;
    return `${(bin * width * 100).toFixed(digits)} to ${((bin + 1) * width * 100).toFixed(digits)} % of each run`;
  }
  const time = (edge: number) => timeLabel(origin + begin + edge * width, width);
  return `${time(bin)} to ${time(bin + 1)}`;
}

/** What groups have in one bin, as entries of pictures of totals. */
export function entriesAt(bins: Bins, bin: number): ReadonlyMap<string, EventEntry> {
  const { result } = bins;
  const entries = result.groups.map((group, number): [string, EventEntry] => {
    const cells = result.runs.map((_, set) => cellOf(bins, set, number, bin));
    const [base, now] = cells;
    const isSure = cells.every((cell) => cell.isEnough);
    const ratio =
      cells.length === 2 && base?.value !== undefined && now?.value !== undefined && base.value > 0
        ? now.value / base.value
        : null;
    const sides = cells.map((cell): EventFigures => ({
      median: cell.value ?? null,
      least: null,
      most: null,
      per_second: cell.value ?? null,
      samples: cell.samples,
      error: cell.error ?? null,
      coverage: null,
      is_enough: cell.isEnough,
    }));
    const entry: EventEntry = {
      group,
      name: result.name,
      unit: result.unit,
      decimals: result.decimals,
      better: result.better,
      description: '',
      sides,
      change: {
        ratio,
        interval: null,
        verdict: !isSure || ratio === null ? 'unknown' : ratio > 1 ? 'more' : 'less',
        reason: isSure ? '' : 'too few samples',
      },
    };
    return [group, entry];
  });
  return new Map(entries);
}

/** Bins between two, with both. */
export function between(from: number, to: number): readonly [number, number] {
  return from <= to ? [from, to] : [to, from];
}
