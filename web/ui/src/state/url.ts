import type {
  Collapse,
  Filter,
  FilterKind,
  Granularity,
  LabelBy,
  Order,
  Sort,
} from '@hotframe/engine';
import { WHOLE } from '../canvas/viewport.ts';
import { decodeAccesses, encodeAccesses } from './accesses-url.ts';
import { type SetField, stateOf } from './address-part.ts';
import { decodeGraph, encodeGraph } from './graph-url.ts';
import { decodePaneMetrics, encodePaneMetrics } from './pane-metrics.ts';
import { decodeRuns, encodeRuns } from './runs/place.ts';
import { decodeBranches, encodeBranches } from './url-branches.ts';
import { choice, optionalChoice, percent, wholeNumber } from './url-fields.ts';
import type { View } from './view.ts';
import {
  COLLAPSES,
  COLOURS,
  DEFAULT_VIEW,
  DIRECTIONS,
  FILTER_KINDS,
  GRANULARITIES,
  LABELS,
  ORDERS,
  ROWS,
  BOTTOM_UP_BY,
  SHAPES,
  type Chosen,
  type SourcePlace,
  type ViewState,
} from './view-state.ts';

/** Longer paths are left out of the address: browsers and chat programs cut very long ones. */
const LONGEST_PATH = 4000;

/** No profile has more roles with a pane of their own. */
const MOST_PANES = 16;

/** What an address knows of a view. */
type AddressedView = Pick<View, 'id' | 'state'>;

/**
 * The page's hash for a state: `d=0&m=1&shape=bottom_up&…`, without what is at its default, so
 * that the plain address stays plain.
 */
export function encodeHash(state: ViewState, views: readonly AddressedView[]): string {
  const out = new URLSearchParams();
  const set: SetField = (key, value, standard) => {
    if (value !== undefined && value !== standard) out.append(key, String(value));
  };
  set('d', state.document);
  set('run', encodeRuns(state.runs));
  set('members', state.members);
  set('align', state.align);
  set('m', state.formula === undefined ? state.metric : undefined);
  set('fx', state.formula);
  set('view', state.view);
  set('shape', state.shape, DEFAULT_VIEW.shape);
  set('by', state.granularity, DEFAULT_VIEW.granularity);
  set('order', state.order, DEFAULT_VIEW.order);
  set('labels', state.labels, DEFAULT_VIEW.labels);
  set('colour', state.colour);
  set('below', state.hideBelow === 0 ? undefined : state.hideBelow);
  set('levels', state.levels);
  // Direct recursion was all that addresses could say.
  const { collapse } = state;
  set('collapse', collapse === 'none' ? undefined : collapse === 'direct' ? '1' : collapse);
  for (const filter of state.filters) set('f', `${filter.kind}:${filter.pattern}`);
  set('q', state.search, '');
  set('z', encodePath(state.zoom.path), '');
  set('zs', encodePath(state.zoom.stops), '');
  const { from, to } = state.zoom.range;
  if (from !== WHOLE.from || to !== WHOLE.to) set('x', `${from}~${to}`);
  set('y', state.zoom.top === 0 ? undefined : state.zoom.top);
  set('sel', encodePath(state.selection), '');
  set('fn', state.fn);
  set('fns', encodePath(state.fns), '');
  set('lk', encodeChosen(state.linked), '');
  for (const entry of encodePaneMetrics(state.paneMetrics)) set('pm', entry);
  set('rank', state.ranked?.join('.'));
  if (state.sort !== undefined) {
    set('sort', `${state.sort.by}.${state.sort.metric}${state.sort.reverse ? '.r' : ''}`);
  }
  set('rows', state.tableFilter, '');
  set('row', state.firstRow === 0 ? undefined : state.firstRow);
  set('open', encodeBranches(state.unfolded), '');
  set('list', state.rows, DEFAULT_VIEW.rows);
  set('went', state.direction);
  set('src', state.source && `${state.source.line}:${state.source.file}`);
  encodeGraph(state.graph, set);
  encodeAccesses(state.accesses, set);
  for (const { state: part } of views) part?.encode(stateOf(state, part), set);
  // Characters that are safe in a fragment stay readable.
  return out.toString().replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%2C', ',');
}

/** The state of a hash; what does not parse is at its default, so that any address opens. */
export function decodeHash(hash: string, views: readonly AddressedView[]): ViewState {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (key: string) => params.get(key) ?? undefined;
  return {
    document: wholeNumber(text('d')),
    runs: decodeRuns(text('run')),
    members: text('members') || undefined,
    align: text('align') || undefined,
    metric: wholeNumber(text('m')),
    formula: text('fx') || undefined,
    shape: choice([...SHAPES, ...BOTTOM_UP_BY], text('shape'), DEFAULT_VIEW.shape),
    view: views.find(({ id }) => id === text('view'))?.id,
    granularity: choice<Granularity>(GRANULARITIES, text('by'), DEFAULT_VIEW.granularity),
    filters: params.getAll('f').flatMap((entry) => decodeFilter(entry) ?? []),
    order: choice<Order>(ORDERS, text('order'), DEFAULT_VIEW.order),
    labels: choice<LabelBy>(LABELS, text('labels'), DEFAULT_VIEW.labels),
    hideBelow: percent(text('below')) ?? DEFAULT_VIEW.hideBelow,
    levels: wholeNumber(text('levels')) || undefined,
    collapse:
      text('collapse') === '1'
        ? 'direct'
        : choice<Collapse>(COLLAPSES, text('collapse'), DEFAULT_VIEW.collapse),
    colour: optionalChoice(COLOURS, text('colour')),
    search: text('q') ?? '',
    zoom: {
      path: decodePath(text('z')),
      stops: decodePath(text('zs')),
      range: decodeRange(text('x')),
      top: wholeNumber(text('y')),
    },
    selection: decodePath(text('sel')),
    fn: wholeNumber(text('fn')),
    fns: decodePath(text('fns')),
    linked: decodeChosen(text('lk')),
    paneMetrics: decodePaneMetrics(params.getAll('pm')),
    ranked: decodeRanked(text('rank')),
    sort: decodeSort(text('sort')),
    tableFilter: text('rows') ?? '',
    firstRow: wholeNumber(text('row')) ?? 0,
    unfolded: decodeBranches(text('open')),
    rows: choice(ROWS, text('list'), DEFAULT_VIEW.rows),
    direction: optionalChoice(DIRECTIONS, text('went')),
    source: decodeSource(text('src')),
    graph: decodeGraph(text),
    accesses: decodeAccesses(text),
    parts: Object.fromEntries(
      views.flatMap(({ state: part }) => (part ? [[part.key, part.decode(text)]] : [])),
    ),
  };
}

/** The filters of a hash that are left out, for nothing is known of their kind. */
export function unreadFilters(hash: string): readonly string[] {
  const written = new URLSearchParams(hash.replace(/^#/, '')).getAll('f');
  return written.filter((entry) => decodeFilter(entry) === undefined);
}

function decodeFilter(entry: string): Filter | undefined {
  const colon = entry.indexOf(':');
  const kind = optionalChoice<FilterKind>(FILTER_KINDS, entry.slice(0, Math.max(0, colon)));
  return kind && { kind, pattern: entry.slice(colon + 1) };
}

function encodePath(path: readonly number[]): string {
  return path.length > LONGEST_PATH ? '' : path.map((key) => key.toString(36)).join('.');
}

function decodePath(text: string | undefined): readonly number[] {
  if (text === undefined || text === '') return [];
  const keys = text.split('.').map((part) => Number.parseInt(part, 36));
  return keys.every((key) => Number.isSafeInteger(key) && key >= 0) ? keys : [];
}

/** Paths of the panes, joined by `_`; nothing chosen after the last is not written. */
function encodeChosen(chosen: Chosen): string {
  return chosen.map(encodePath).join('_').replace(/_+$/, '');
}

function decodeChosen(text: string | undefined): Chosen {
  const paths = text?.split('_', MOST_PANES).map(decodePath) ?? [];
  return paths.slice(0, paths.findLastIndex((path) => path.length > 0) + 1);
}

function decodeRanked(text: string | undefined): readonly [number, number] | undefined {
  const [first, second] = text?.split('.').map(wholeNumber) ?? [];
  if (first === undefined || second === undefined || first === second) return undefined;
  return [first, second];
}

function decodeRange(text: string | undefined) {
  const [from = Number.NaN, to = Number.NaN] = text?.split('~').map(Number) ?? [];
  return from >= 0 && to <= 1 && from < to ? { from, to } : WHOLE;
}

function decodeSource(text: string | undefined): SourcePlace | undefined {
  const [, digits, file] = /^(\d{1,9}):(.+)$/s.exec(text ?? '') ?? [];
  return file === undefined ? undefined : { file, line: Number(digits) };
}

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
