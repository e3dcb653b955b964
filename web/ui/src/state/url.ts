import type { Collapse, Filter, FilterKind, Granularity, LabelBy, Order } from '@hotframe/engine';
import { WHOLE } from '../canvas/viewport.ts';
import { decodeAccesses, encodeAccesses } from './accesses-url.ts';
import { type SetField, stateOf } from './address-part.ts';
import { decodeGraph, encodeGraph } from './graph-url.ts';
import { decodeRuns, encodeRuns } from './runs/place.ts';
import {
  choice,
  decodePath,
  encodePath,
  optionalChoice,
  percent,
  wholeNumber,
} from './url-fields.ts';
import type { View } from './view.ts';
import {
  COLLAPSES,
  COLOURS,
  DEFAULT_VIEW,
  FILTER_KINDS,
  GRANULARITIES,
  LABELS,
  ORDERS,
  BOTTOM_UP_BY,
  SHAPES,
  type SourcePlace,
  type ViewState,
} from './view-state.ts';

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
    source: decodeSource(text('src')),
    graph: decodeGraph(text),
    accesses: decodeAccesses(text),
    parts: Object.fromEntries(
      views.flatMap(({ state: part }) =>
        part ? [[part.key, part.decode(text, (key) => params.getAll(key))]] : [],
      ),
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

function decodeRange(text: string | undefined) {
  const [from = Number.NaN, to = Number.NaN] = text?.split('~').map(Number) ?? [];
  return from >= 0 && to <= 1 && from < to ? { from, to } : WHOLE;
}

function decodeSource(text: string | undefined): SourcePlace | undefined {
  const [, digits, file] = /^(\d{1,9}):(.+)$/s.exec(text ?? '') ?? [];
  return file === undefined ? undefined : { file, line: Number(digits) };
}
