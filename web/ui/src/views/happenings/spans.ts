import type { SpanSort, SpanStatisticsRow } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { spanActions } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

const COLUMNS: readonly (Column & { readonly text: (row: SpanStatisticsRow) => string })[] = [
  {
    by: 'count',
    label: 'Count',
    title: 'How many there are',
    text: ({ count }) => formatInteger(count),
  },
  {
    by: 'total',
    label: 'Total',
    title: 'The sum of their lengths; of one inside another of its name both count',
    text: ({ total }) => timeLabel(total, fine(total)),
  },
  {
    by: 'self_time',
    label: 'Self',
    title: 'The part of it in which nothing inside ran; none of asynchronous spans',
    text: ({ self_time: self }) => lengthText(self),
  },
  {
    by: 'median',
    label: 'Median',
    title: 'Half of them are not longer',
    text: ({ median }) => lengthText(median),
  },
  {
    by: 'p95',
    label: '95 %',
    title: '95 of 100 are not longer',
    text: ({ p95 }) => lengthText(p95),
  },
  {
    by: 'longest',
    label: 'Longest',
    title: 'The longest of them',
    text: ({ longest }) => lengthText(longest),
  },
];

function lengthText(length: number | null): string {
  return length === null ? '–' : timeLabel(length, fine(length));
}

function noteOf({ is_asynchronous, unfinished }: SpanStatisticsRow): string {
  const notes = is_asynchronous ? ['asynchronous'] : [];
  if (unfinished > 0) notes.push(`${formatInteger(unfinished)} unfinished`);
  return notes.join(', ');
}

/** Spans by name. */
export const SPANS: List = {
  label: 'Spans',
  name: 'Span',
  thing: 'name',
  filter: 'Filter spans',
  columns: COLUMNS,
  standard: { by: 'total', reverse: false },
  menu: 'Spans of a name',
  empty: 'The filters keep none.',
  async load({ app, engine, signal }, asked, by) {
    const params = { ...asked, sort: by as SpanSort };
    const { result } = await engine.call('span_statistics', params, { signal });
    const rows = result.rows.map((row) => ({
      id: `${row.name}\n${row.file}\n${row.is_asynchronous}`,
      name: row.name,
      file: row.file,
      note: noteOf(row),
      colours: row.colours,
      cells: COLUMNS.map(({ text }) => text(row)),
      actions: spanActions(app, row),
    }));
    return { rows, total: result.total, notes: [] };
  },
};
