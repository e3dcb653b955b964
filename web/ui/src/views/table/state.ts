import type { ChangeDirection, Sort } from '@hotframe/engine';
import type { AddressPart } from '../../state/address-part.ts';
import { choice, optionalChoice, wholeNumber } from '../../state/url-fields.ts';
import type { Choice } from '../../state/view-state.ts';
import { decodeBranches, encodeBranches } from './branches.ts';

/** What the rows of a table are. */
export type RowsKind = 'functions' | 'tree';

export const ROWS: readonly Choice<RowsKind>[] = [
  { value: 'functions', label: 'Functions', title: 'Every function with its self and total' },
  { value: 'tree', label: 'Tree', title: 'The tree, unfolded as far as one looks' },
];

/** Which functions of a comparison are listed. */
export const DIRECTIONS: readonly Choice<ChangeDirection>[] = [
  { value: 'growth', label: 'Grew', title: 'Functions whose total is larger in the new profile' },
  { value: 'fall', label: 'Fell', title: 'Functions whose total is smaller in the new profile' },
];

/** What of a table is on screen; it lives in the page's address. */
export interface TableState {
  /** What the table lists. */
  readonly rows: RowsKind;
  /** What suits its rows where undefined. */
  readonly sort: Sort | undefined;
  /** What the table is narrowed to. */
  readonly filter: string;
  /** The first row that is in sight. */
  readonly firstRow: number;
  /** Keys from below the whole program down to each unfolded node of the tree. */
  readonly unfolded: readonly (readonly number[])[];
  /** Of a comparison: which functions are listed; all where undefined. */
  readonly direction: ChangeDirection | undefined;
}

const STANDARD: TableState = {
  rows: 'functions',
  sort: undefined,
  filter: '',
  firstRow: 0,
  unfolded: [],
  direction: undefined,
};

export const TABLE_PART: AddressPart<TableState> = {
  key: 'table',
  standard: STANDARD,
  encode({ rows, sort, filter, firstRow, unfolded, direction }, set) {
    if (sort !== undefined) set('sort', `${sort.by}.${sort.metric}${sort.reverse ? '.r' : ''}`);
    set('rows', filter, '');
    set('row', firstRow === 0 ? undefined : firstRow);
    set('open', encodeBranches(unfolded), '');
    set('list', rows, STANDARD.rows);
    set('went', direction);
  },
  decode: (text) => ({
    rows: choice(ROWS, text('list'), STANDARD.rows),
    sort: decodeSort(text('sort')),
    filter: text('rows') ?? '',
    firstRow: wholeNumber(text('row')) ?? 0,
    unfolded: decodeBranches(text('open')),
    direction: optionalChoice(DIRECTIONS, text('went')),
  }),
  elsewhere: ({ rows }) => ({ ...STANDARD, rows }),
  withoutKeys: (state) => ({ ...state, unfolded: [] }),
  findsByName: ({ filter }) => filter !== '',
};

function decodeSort(text: string | undefined): Sort | undefined {
  const [by, metricText, reverse] = text?.split('.') ?? [];
  const metric = wholeNumber(metricText);
  if (metric === undefined) return undefined;
  switch (by) {
    case 'name':
    case 'self_value':
    case 'total_value':
    case 'interval':
    case 'verdict':
      return { by, metric, reverse: reverse === 'r' };
    default:
      return undefined;
  }
}
