import type { EventsResult } from '@hotframe/engine';
import { csvLine } from '../../text/csv.ts';
import { type Bins, cellOf } from './bins.ts';

/** Values of events count ten to the minus so many of their unit. */
const unscaled = (value: number | null | undefined, decimals: number) =>
  value === null || value === undefined ? undefined : value / 10 ** decimals;

/** Every event and metric of every set of runs, a row each. */
export function eventsCsv(shown: EventsResult | undefined): string {
  const head = csvLine(
    'event,unit,set,runs,median,least,most,per_second,samples,error,coverage,enough'.split(','),
  );
  const rows = (shown?.rows ?? []).flatMap(({ name, unit, decimals, sides }) =>
    sides.map((side, set) => {
      const values = [side?.median, side?.least, side?.most, side?.per_second];
      const told = values.map((value) => unscaled(value, decimals));
      const of = [shown?.sets[set], shown?.runs[set]];
      return csvLine([
        name,
        unit,
        ...of,
        ...told,
        side?.samples,
        side?.error,
        side?.coverage,
        side?.is_enough,
      ]);
    }),
  );
  return head + rows.join('');
}

/** Every bin of every group and set, a row each. */
export function binsCsv(bins: Bins | undefined): string {
  if (bins === undefined) return '';
  const { result } = bins;
  const isProgress = result.width < 1;
  const ends = isProgress ? ['begin_share', 'end_share'] : ['begin_ns', 'end_ns'];
  const rows = [
    csvLine(['event', 'unit', 'set', 'group', ...ends, 'value', 'samples', 'error', 'enough']),
  ];
  const unit = result.unit === null ? '' : `${result.unit}/s`;
  result.runs.forEach((_, set) => {
    result.groups.forEach((group, number) => {
      for (let bin = 0; bin < result.bins; bin++) {
        const cell = cellOf(bins, set, number, bin);
        const [begin, end] = [bin, bin + 1].map((edge) => result.begin + edge * result.width);
        rows.push(
          csvLine([
            result.name,
            unit,
            result.sets[set],
            group,
            begin,
            end,
            unscaled(cell.value, result.decimals),
            cell.samples,
            cell.error,
            cell.isEnough,
          ]),
        );
      }
    });
  });
  return rows.join('');
}
