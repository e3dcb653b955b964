import type { PathRow, PathSort } from '@hotframe/engine';
import { formatShare } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { jumpTo, nameActions } from './actions.ts';
import { type Column, fine, type List } from './list.ts';

const COLUMNS: readonly (Column & {
  readonly text: (row: PathRow, origin: number) => string;
})[] = [
  {
    by: 'track',
    label: 'Track',
    title: 'Where it is; of a flow where it arrives',
    isText: true,
    rises: true,
    text: ({ track }) => track,
  },
  {
    by: 'begin',
    label: 'From',
    title: 'When it begins',
    rises: true,
    text: ({ place }, origin) => timeLabel(origin + place.begin, fine(origin + place.begin)),
  },
  {
    by: 'length',
    label: 'Time',
    title: 'How long it is',
    text: ({ place }) => timeLabel(place.lasts, fine(place.lasts)),
  },
  {
    by: undefined,
    label: 'Share',
    title: 'Of the whole path',
    text: ({ share }) => formatShare(share),
  },
];

/** What the longest span waited for. */
export const PATH: List = {
  label: 'Critical path',
  name: 'Piece',
  thing: 'piece',
  filter: 'Filter by name or track',
  columns: COLUMNS,
  standard: { by: 'begin', reverse: false },
  menu: 'Piece of the critical path',
  empty: 'The filters keep no span whose path could be followed.',
  async load({ app, engine, signal, origin }, asked, by) {
    const params = { ...asked, sort: by as PathSort };
    const { result, columns } = await engine.call('critical_path', params, { signal });
    app.profile.path.value = columns;
    const rows = result.rows.map((row) => ({
      id: String(row.at),
      name:
        row.kind === 'waiting' ? 'waiting' : row.kind === 'flow' ? row.name || 'flow' : row.name,
      file: '',
      note: row.kind === 'flow' ? 'flow' : row.kind === 'waiting' ? 'nothing runs' : '',
      colours: row.kind === 'span' ? row.colours : undefined,
      ...(row.kind === 'span' ? {} : { swatch: `path-${row.kind}` }),
      cells: COLUMNS.map(({ text }) => text(row, origin)),
      actions: {
        ...(row.kind === 'span' ? nameActions(app, row.name) : {}),
        show: jumpTo(app, 'show', 'To this piece, and its span', row.place),
      },
    }));
    const { span, stretches, notes, total } = result;
    const drawn = columns.track.length;
    return {
      rows,
      total,
      notes,
      ...(span === null ? {} : { picture: { kind: 'path', span, stretches, drawn } as const }),
    };
  },
};
