import type { GapSort, GapsRow } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { jumpTo, nameActions } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

const COLUMNS: readonly (Column & {
  readonly text: (row: GapsRow, origin: number) => string;
})[] = [
  {
    by: 'count',
    label: 'Gaps',
    title: 'How many there are, on all tracks; spans that overlap or follow at once have none',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'total',
    label: 'Total',
    title: 'The sum of their lengths',
    text: ({ total }) => timeLabel(total, fine(total)),
  },
  {
    by: 'median',
    label: 'Median',
    title: 'Half of them are not longer',
    text: ({ median }) => timeLabel(median, fine(median)),
  },
  {
    by: 'p95',
    label: '95 %',
    title: '95 of 100 are not longer',
    text: ({ p95 }) => timeLabel(p95, fine(p95)),
  },
  {
    by: 'longest',
    label: 'Longest',
    title: 'The longest of them',
    text: ({ longest }) => timeLabel(longest, fine(longest)),
  },
  {
    by: undefined,
    label: 'At',
    title: 'When the longest begins',
    text: ({ place }, origin) => timeLabel(origin + place.begin, fine(origin + place.begin)),
  },
  {
    by: undefined,
    label: 'On',
    title: 'The track of the longest',
    isText: true,
    text: ({ track }) => track,
  },
];

/** The time between spans of a name. */
export const GAPS: List = {
  label: 'Gaps',
  name: 'Between spans of',
  thing: 'name',
  filter: 'Filter gaps',
  columns: COLUMNS,
  standard: { by: 'total', reverse: false },
  menu: 'Gaps between spans of a name',
  empty:
    'No name has two spans on one track with time between them, of what the filters keep; gaps that a range cuts do not count.',
  async load({ app, engine, signal, origin }, asked, by) {
    const params = { ...asked, sort: by as GapSort };
    const { result } = await engine.call('gaps', params, { signal });
    const rows = result.rows.map((row) => ({
      id: `${row.name}\n${row.file}\n${row.is_asynchronous}`,
      name: row.name,
      file: row.file,
      note: row.is_asynchronous ? 'asynchronous' : '',
      colours: row.colours,
      cells: COLUMNS.map(({ text }) => text(row, origin)),
      actions: {
        ...nameActions(app, row.name),
        show: jumpTo(app, 'longest', 'To the longest gap, and the span that ends it', row.place),
      },
    }));
    return { rows, total: result.total, notes: [] };
  },
};
