import type { TracksResult } from '@hotframe/engine';
import { formatFigure } from '../../text/units.ts';

/** A value of a series, as far as its unit is one that is known. */
export function seriesValue(value: number, unit: string): string {
  if (Math.abs(value) >= 1000 || Number.isInteger(value)) {
    return formatFigure(value, { unit, decimals: 0 });
  }
  return `${Number(value.toPrecision(3))} ${unit}`.trimEnd();
}

/** Name and range of a series. */
export function seriesLabel({ name, unit, least, most }: TracksResult['counters'][number]): string {
  const range =
    least === most
      ? seriesValue(least, unit)
      : `${seriesValue(least, unit)} to ${seriesValue(most, unit)}`;
  return `${name}  ${range}`;
}
