import type { RowName, Table, TableCells, TableColumn, TimePlace } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { formatInteger, formatShare, formatShareChange } from '../../text/units.ts';
import { timeLabel } from '../timeline/times.ts';
import { actionsOf, type Jump, jumpTo } from './actions.ts';
import { type Column, fine, type List, type Row } from './list.ts';

/** Where a value is missing. */
const NOTHING = '–';

/** The columns that people read, the name apart, and the rows. */
export function rowsOf(
  app: App,
  list: List,
  table: Table,
): { readonly name: Column; readonly columns: readonly Column[]; readonly rows: readonly Row[] } {
  const named = table.columns.find(({ cells }) => cells.kind === 'name');
  const placed = table.columns.find(({ cells }) => cells.kind === 'place');
  const shown = table.columns.filter(
    ({ cells }) => cells.kind !== 'name' && cells.kind !== 'place',
  );
  const rows = table.ids.map((id, at) => {
    const name = nameAt(named, at);
    const place = placeAt(placed, at);
    const jump: Jump | undefined = place && placed && jumpTo(app, placed.title, placed.help, place);
    const actions = actionsOf(app, name, jump);
    return {
      id,
      name,
      swatch: list.swatches && name.kind !== '' ? `${list.swatches}-${name.kind}` : undefined,
      cells: shown.map(({ cells }) => cellText(cells, at)),
      actions: (place && list.actions?.(app, place, actions)) ?? actions,
    };
  });
  return { name: columnOf(named), columns: shown.map(columnOf), rows };
}

/** A cell as people read it. */
export function cellText(cells: TableCells, at: number): string {
  switch (cells.kind) {
    case 'name':
      return cells.values[at]?.text ?? '';
    case 'text':
      return cells.values[at] ?? '';
    case 'count':
      return textOr(cells.values[at], formatInteger);
    case 'counts': {
      const [base = '', now = ''] = cells.values[at]?.map(meanText) ?? [];
      return base === now ? base : `${base} → ${now}`;
    }
    case 'instant':
      return textOr(cells.values[at], (time) => timeLabel(time, 1000));
    case 'time':
      return textOr(cells.values[at], lengthText);
    case 'time_change':
      return textOr(cells.values[at], changeText);
    case 'growth':
      return textOr(cells.values[at], (ratio) => formatShareChange(ratio - 1));
    case 'number':
      return textOr(cells.values[at], (value) => (value === 0 ? '0' : value.toPrecision(3)));
    case 'share':
      return textOr(cells.values[at], formatShare);
    case 'flag':
      return cells.values[at] === true ? 'yes' : 'no';
    case 'place':
      return '';
  }
}

function textOr(value: number | null | undefined, text: (value: number) => string): string {
  return value == null ? NOTHING : text(value);
}

function lengthText(length: number): string {
  return timeLabel(length, fine(length));
}

function changeText(length: number): string {
  const sign = length > 0 ? '+' : length < 0 ? '−' : '';
  return `${sign}${lengthText(Math.abs(length))}`;
}

/** Of runs it is a mean. */
function meanText(count: number): string {
  return Number.isInteger(count) ? formatInteger(count) : count.toFixed(1);
}

function columnOf(column: TableColumn | undefined): Column {
  const { key = 'name', title = '', help = '', order = null, cells } = column ?? {};
  return {
    by: order === null ? undefined : key,
    label: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    title: help === '' ? `By ${title}` : help,
    rises: order === 'rising',
    isText: cells?.kind === 'text',
  };
}

function nameAt(column: TableColumn | undefined, at: number): RowName {
  const name = column?.cells.kind === 'name' ? column.cells.values[at] : undefined;
  if (name === undefined) throw new Error(`row ${at} has no name`);
  return name;
}

function placeAt(column: TableColumn | undefined, at: number): TimePlace | undefined {
  return column?.cells.kind === 'place' ? column.cells.values[at] : undefined;
}
