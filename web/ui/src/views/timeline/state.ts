import type { ListKind } from '@hotframe/engine';
import type { AddressPart } from '../../state/address-part.ts';

/** How tracks are sorted among those that stand under the same one. */
export type TrackOrder = 'recorded' | 'busy' | 'name';

/** What stands below the timeline. */
export type Below = 'flame' | ListKind;

/** A frame of a sample: the sample's point, and how many frames stand around it. */
export interface SampledFrame {
  readonly point: number;
  readonly depth: number;
}

/** What of a timeline is on screen; it lives in the page's address. */
export interface TimelineViewState {
  /** Begin and end in nanoseconds after the first time; all of it where undefined. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
  /** Tracks that are folded or unfolded otherwise than at first. */
  readonly toggled: readonly number[];
  /** Tracks whose own is summed up with those under them, which are not shown. */
  readonly grouped: readonly number[];
  /** Tracks that are not shown, nor those under them. */
  readonly hidden: readonly number[];
  /** Tracks that stand above all others. */
  readonly pinned: readonly number[];
  readonly order: TrackOrder;
  /** Words that names of tracks have; empty for all. */
  readonly names: string;
  /** The outermost rows of a track are at its bottom. */
  readonly upwards: boolean;
  /** Long stretches without anything are left out. */
  readonly noIdle: boolean;
  readonly below: Below;
  /** The span whose critical path is listed; the longest where undefined. */
  readonly pathOf: number | undefined;
  /** What a list is sorted by; by what suits it where undefined. */
  readonly sort: { readonly by: string; readonly reverse: boolean } | undefined;
  /** The selected span. */
  readonly span: number | undefined;
  /** The selected frame of a sample. */
  readonly frame: SampledFrame | undefined;
}

const STANDARD: TimelineViewState = {
  window: undefined,
  toggled: [],
  grouped: [],
  hidden: [],
  pinned: [],
  order: 'recorded',
  names: '',
  upwards: false,
  noIdle: false,
  below: 'flame',
  pathOf: undefined,
  sort: undefined,
  span: undefined,
  frame: undefined,
};

export const TIMELINE_PART: AddressPart<TimelineViewState> = {
  key: 'timeline',
  standard: STANDARD,
  encode(view, set) {
    const { window, span, frame, sort } = view;
    set('t', window && `${Math.round(window.from)}~${Math.round(window.to)}`);
    set('tt', view.toggled.join('.'), '');
    set('tg', view.grouped.join('.'), '');
    set('th', view.hidden.join('.'), '');
    set('tp', view.pinned.join('.'), '');
    set('to', view.order, STANDARD.order);
    set('tn', view.names, '');
    set('tu', view.upwards ? 1 : undefined);
    set('ti', view.noIdle ? 1 : undefined);
    set('tb', view.below, STANDARD.below);
    set('tk', view.pathOf);
    set('tsort', sort && `${sort.by}${sort.reverse ? '.r' : ''}`);
    set('ts', span);
    set('tf', frame && `${frame.point}.${frame.depth}`);
  },
  decode(text) {
    const [from = Number.NaN, to = Number.NaN] = text('t')?.split('~').map(Number) ?? [];
    const numbers = (key: string) => {
      const all = text(key)?.split('.').map(Number) ?? [];
      return all.every(isCount) ? all : [];
    };
    const [span] = numbers('ts');
    const [pathOf] = numbers('tk');
    const [point, depth] = numbers('tf');
    const [by = '', reverse] = text('tsort')?.split('.') ?? [];
    return {
      window: from >= 0 && from < to && to < Infinity ? { from, to } : undefined,
      toggled: numbers('tt'),
      grouped: numbers('tg'),
      hidden: numbers('th'),
      pinned: numbers('tp'),
      order: oneOf(['recorded', 'busy', 'name'], text('to')),
      names: text('tn') ?? '',
      upwards: text('tu') === '1',
      noIdle: text('ti') === '1',
      // What a profile has no list of stands for the flame graph.
      below: (/^[a-z_]+$/.exec(text('tb') ?? '')?.[0] ?? STANDARD.below) as Below,
      pathOf: pathOf !== undefined && pathOf < 2 ** 32 ? pathOf : undefined,
      sort: /^[a-z0-9_]+$/.test(by) ? { by, reverse: reverse === 'r' } : undefined,
      span,
      frame: point === undefined || depth === undefined ? undefined : { point, depth },
    };
  },
  elsewhere: () => STANDARD,
};

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

/** The first where it is none of them. */
function oneOf<T extends string>(known: readonly [T, ...T[]], text: string | undefined): T {
  return known.find((one) => one === text) ?? known[0];
}
