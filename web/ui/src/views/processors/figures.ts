import type { EventEntry } from '@hotframe/engine';
import { formatFigure } from '../../text/units.ts';

/** A value of an event in its unit, or of a metric with four digits. */
export function figureText(entry: EventEntry, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (entry.unit !== null)
    return formatFigure(value, { unit: entry.unit, decimals: entry.decimals });
  return value === 0 ? '0' : value.toPrecision(4);
}

/** By how much a ratio is more or less than 1. */
export function changeText(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined) return '–';
  const percent = (ratio - 1) * 100;
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)} %`;
}

/** Whether all sides have samples enough to say something. */
export function isEnough(entry: EventEntry): boolean {
  return entry.sides.every((side) => side?.is_enough ?? true);
}
