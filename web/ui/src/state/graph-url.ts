import { GRAPH_KINDS } from '@hotframe/engine';
import type { ReadField, SetField } from './address-part.ts';
import {
  BASES,
  type Camera,
  COLOUR_MAPS,
  DEFAULT_GRAPH_VIEW,
  EDGE_QUANTITIES,
  type GraphViewState,
  SCALES,
} from './graph-view.ts';
import { choice, decodeSymbols, encodeSymbols, wholeNumber } from './url-fields.ts';

/** Longer lists are left out of the address, which browsers cut. */
const LONGEST_LIST = 400;

/** The part of the address that is about a dataflow graph: keys that begin with `g`. */
export function encodeGraph(state: GraphViewState, set: SetField): void {
  set('gd', state.depth);
  set('go', encodeList(state.opened), '');
  set('gc', encodeList(state.closed), '');
  set('gh', state.hidden.join('.'), '');
  set('gs', encodeSymbols(state.symbols), '');
  set('gn', state.nodes, DEFAULT_GRAPH_VIEW.nodes);
  set('ge', state.edges, DEFAULT_GRAPH_VIEW.edges);
  set('gb', state.basis, DEFAULT_GRAPH_VIEW.basis);
  set('gu', state.inBytes ? undefined : 'elements');
  set('gm', state.scale, DEFAULT_GRAPH_VIEW.scale);
  set('gk', state.colours, DEFAULT_GRAPH_VIEW.colours);
  set('ga', state.against);
  set('gi', state.selection);
  set('gt', encodeList(state.summed), '');
  set('gx', encodeCamera(state.camera));
  set('gw', state.aspect);
}

/** The state of an address; what does not parse is at its default. */
export function decodeGraph(text: ReadField): GraphViewState {
  const hidden = text('gh')?.split('.') ?? [];
  return {
    depth: wholeNumber(text('gd')),
    opened: decodeList(text('go')),
    closed: decodeList(text('gc')),
    hidden: GRAPH_KINDS.filter((kind) => hidden.includes(kind)),
    symbols: decodeSymbols(text('gs')),
    nodes: text('gn') ?? DEFAULT_GRAPH_VIEW.nodes,
    edges: choice(EDGE_QUANTITIES, text('ge'), DEFAULT_GRAPH_VIEW.edges),
    basis: choice(BASES, text('gb'), DEFAULT_GRAPH_VIEW.basis),
    inBytes: text('gu') !== 'elements',
    scale: choice(SCALES, text('gm'), DEFAULT_GRAPH_VIEW.scale),
    colours: choice(COLOUR_MAPS, text('gk'), DEFAULT_GRAPH_VIEW.colours),
    against: wholeNumber(text('ga')),
    selection: wholeNumber(text('gi')),
    summed: [...new Set(decodeList(text('gt')))],
    camera: decodeCamera(text('gx')),
    aspect: wholeNumber(text('gw')),
  };
}

function encodeList(list: readonly number[]): string {
  return list.length > LONGEST_LIST ? '' : list.map((one) => one.toString(36)).join('.');
}

function decodeList(text: string | undefined): readonly number[] {
  if (text === undefined || text === '') return [];
  const list = text.split('.').map((part) => Number.parseInt(part, 36));
  return list.every((one) => one >= 0 && one <= 0xffffffff) ? list : [];
}

function encodeCamera(camera: Camera | undefined): string | undefined {
  if (camera === undefined) return undefined;
  const { x, y, zoom } = camera;
  return `${Math.round(x)}~${Math.round(y)}~${Number(zoom.toPrecision(4))}`;
}

function decodeCamera(text: string | undefined): Camera | undefined {
  const [x = Number.NaN, y = Number.NaN, zoom = 0] = text?.split('~').map(Number) ?? [];
  return Number.isFinite(x) && Number.isFinite(y) && zoom > 0 && zoom < 100
    ? { x, y, zoom }
    : undefined;
}
