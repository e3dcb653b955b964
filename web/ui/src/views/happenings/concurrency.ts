import type { ConcurrencyRow, ConcurrencySort } from '@hotframe/engine';
import { formatInteger } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { jumpTo, nameActions } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

const COLUMNS: readonly (Column & {
  readonly text: (row: ConcurrencyRow, origin: number) => string;
})[] = [
  {
    by: 'of',
    label: 'Of',
    title: 'Threads of processes, operations of lanes, then spans of a name',
    isText: true,
    rises: true,
    text: ({ what }) => what,
  },
  {
    by: 'most',
    label: 'Most',
    title: 'The most at once',
    text: ({ most }) => formatInteger(most),
  },
  {
    by: 'most_at',
    label: 'At',
    title: 'When there were so many first',
    rises: true,
    text: ({ place }, origin) => timeLabel(origin + place.begin, fine(origin + place.begin)),
  },
  {
    by: 'most_for',
    label: 'For',
    title: 'For how long there were so many, in all',
    text: ({ most_for: lasts }) => timeLabel(lasts, fine(lasts)),
  },
  {
    by: 'mean',
    label: 'Mean',
    title: 'The mean over the time that counts',
    text: ({ mean }) => (mean === 0 ? '0' : mean.toPrecision(3)),
  },
  {
    by: 'busy',
    label: 'Any',
    title: 'For how long there was one at least',
    text: ({ busy }) => timeLabel(busy, fine(busy)),
  },
];

/** How much happened at once. */
export const CONCURRENCY: List = {
  label: 'Concurrency',
  name: 'At once',
  thing: 'row',
  filter: 'Filter by name',
  columns: COLUMNS,
  standard: { by: 'of', reverse: false },
  menu: 'What was open at once',
  empty: 'No span that lasts is left by the filters.',
  async load({ app, engine, signal, origin }, asked, by) {
    const params = { ...asked, sort: by as ConcurrencySort };
    const { result } = await engine.call('concurrency', params, { signal });
    const rows = result.rows.map((row) => ({
      id: JSON.stringify(row.of),
      name: row.name,
      file: row.file,
      note: '',
      colours: undefined,
      cells: COLUMNS.map(({ text }) => text(row, origin)),
      actions: {
        ...(row.of.kind === 'spans' ? nameActions(app, row.span_name) : {}),
        show: jumpTo(app, 'most', 'To when there were most at once', row.place),
      },
    }));
    const of = new Map(
      result.rows.map((row) => [JSON.stringify(row.of), { of: row.of, name: titleOf(row) }]),
    );
    return {
      rows,
      total: result.total,
      notes: [],
      picture: { kind: 'concurrency', view: asked.view, of },
    };
  },
};

/** What a chart is of. */
function titleOf({ of, what, name }: ConcurrencyRow): string {
  return of.kind === 'threads' && of.process === null ? name : `${what} of ${name}`;
}
