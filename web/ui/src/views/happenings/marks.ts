import type { MarkSort, MarkStatisticsRow } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { markActions } from './actions.ts';
import type { Column, List } from './list.ts';

const COLUMNS: readonly (Column & {
  readonly text: (row: MarkStatisticsRow, origin: number) => string;
})[] = [
  {
    by: 'count',
    label: 'Count',
    title: 'How often',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'tracks',
    label: 'Tracks',
    title: 'On how many tracks',
    text: ({ tracks }) => formatInteger(tracks),
  },
  {
    by: 'first',
    label: 'First',
    title: 'When the first was',
    rises: true,
    text: ({ first }, origin) => timeLabel(origin + first, 1000),
  },
  {
    by: 'last',
    label: 'Last',
    title: 'When the last was',
    rises: true,
    text: ({ last }, origin) => timeLabel(origin + last, 1000),
  },
];

/** Instants by kind. */
export const MARKS: List = {
  label: 'Marks',
  name: 'Mark',
  thing: 'kind',
  filter: 'Filter marks',
  columns: COLUMNS,
  standard: { by: 'count', reverse: false },
  menu: 'Marks of a kind',
  empty: 'The filters keep none.',
  async load({ app, engine, signal, origin }, asked, by) {
    const params = { ...asked, sort: by as MarkSort };
    const { result } = await engine.call('mark_statistics', params, { signal });
    const rows = result.rows.map((row) => ({
      id: row.kind,
      name: row.kind,
      file: '',
      note: '',
      colours: undefined,
      cells: COLUMNS.map(({ text }) => text(row, origin)),
      actions: markActions(app, row.kind),
    }));
    return { rows, total: result.total, notes: [] };
  },
};
