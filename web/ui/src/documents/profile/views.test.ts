import type { SummaryResult } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { changedParts, stateOf, withState } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { PAGE_KEYS } from '../../state/key-bindings.ts';
import { decodeHash, encodeHash } from '../../state/url.ts';
import { DEFAULT_VIEW, type ViewState } from '../../state/view-state.ts';
import { fittingViews, shownViewOf, type View } from '../../state/view.ts';
import { CHARTS } from '../../views/charts/charts.ts';
import { CHARTS_PART } from '../../views/charts/state.ts';
import { LINKED_PART } from '../../views/linked/state.ts';
import { TABLE_PART } from '../../views/table/state.ts';
import { TIMELINE_PART } from '../../views/timeline/state.ts';
import { accessesPage } from '../accesses/page.tsx';
import { graphPage } from '../graph/page.tsx';
import { commands } from './commands.ts';
import { profilePage } from './page.tsx';
import { VIEWS } from './views.ts';

/** A profile of samples alone. */
const SAMPLES = {
  points: 3,
  spans: 0,
  tracks: 0,
  roles: [],
  has_processors: false,
  is_experiment: false,
  comparison: null,
} as unknown as SummaryResult;

const EXPERIMENT: SummaryResult = { ...SAMPLES, is_experiment: true };
const TRACE: SummaryResult = { ...SAMPLES, tracks: 2, spans: 9 };

/** A state of each part of the address that is at its standard nowhere. */
const PARTS: ViewState['parts'] = {
  table: {
    rows: 'tree',
    sort: { by: 'self_value', metric: 2, reverse: true },
    filter: 'x y',
    firstRow: 120,
    unfolded: [[1], [1, 40], [2]],
    direction: 'growth',
  },
  linked: {
    chosen: [[1, 40], [], [4294967295]],
    metrics: [1, undefined, 'a / `b & c`'],
    ranked: [0, 2],
  },
  timeline: {
    ...TIMELINE_PART.standard,
    window: { from: 1200, to: 3400 },
    toggled: [3, 7],
    span: 41,
  },
  processors: { event: 'L1-dcache-load-misses', by: 'socket', along: 'progress', sets: 'names' },
  heat: { column: 20_000_000 },
  experiment: {
    part: 'history',
    of: { kind: 'measure', name: 'wall time, in all: 1' },
    rows: 'numpy & co',
    columns: 'interpreter',
    base: [0, 2],
    now: [11],
    factor: 'revision',
    functions: 'total',
    chart: 'treemap',
    firstRow: 3,
  },
  charts: {
    chart: 'bars',
    cut: 10,
    area: true,
    by: 'change',
    of: 'total_value',
    recursion: true,
    tint: 'share',
    leastNode: 20,
    leastEdge: 0,
    beside: true,
  },
};

const parts = VIEWS.flatMap(({ state }) => state ?? []);
const view = (id: string) => VIEWS.find((one) => one.id === id)!;
const shown = (id: string | undefined, summary: SummaryResult | undefined) =>
  shownViewOf(VIEWS, id, summary).id;

/** As much of the page as a view asks. */
function pageOf(summary: SummaryResult, state: ViewState = DEFAULT_VIEW) {
  const changes: Partial<ViewState>[] = [];
  const notice = signal<string | undefined>(undefined);
  const app = {
    view: signal(state),
    update: (change: Partial<ViewState>) => changes.push(change),
    notices: { notice },
    profile: { views: VIEWS, summary: signal(summary) },
  } as unknown as App;
  return { app, changes, notice };
}

describe('the views of a profile', () => {
  it('have names of their own', () => {
    const ids = VIEWS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = parts.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keep in another document, with other keys and in another shape what means something there', () => {
    const state = { ...DEFAULT_VIEW, parts: PARTS };
    const after = (change: Parameters<typeof changedParts>[2]) => {
      const now = { ...state, ...changedParts(state, parts, change) };
      const gone = parts.filter((part) => stateOf(now, part) === part.standard);
      return { now, gone: gone.map(({ key }) => key).sort() };
    };
    const elsewhere = after((part, own) => part.elsewhere?.(own));
    expect(elsewhere.gone).toEqual(['experiment', 'linked', 'timeline']);
    const { standard } = TABLE_PART;
    expect(stateOf(elsewhere.now, TABLE_PART)).toEqual({ ...standard, rows: 'tree' });
    const { now, gone } = after((part, own) => part.withoutKeys?.(own));
    expect(gone).toEqual([]);
    expect(stateOf(now, TABLE_PART)).toMatchObject({ unfolded: [], filter: 'x y' });
    expect(stateOf(now, LINKED_PART)).toMatchObject({ chosen: [], ranked: [0, 2] });
    const turned = after((part, own) => part.inShape?.(own, (path) => path.toReversed()));
    expect(stateOf(turned.now, LINKED_PART).chosen).toEqual([[40, 1], [], [4294967295]]);
    expect(stateOf(turned.now, TABLE_PART).unfolded).toEqual([[1], [1, 40], [2]]);
  });

  it('have charts with names of their own, any of which an address can choose', () => {
    const ids = CHARTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const chart of ids) {
      const state = { ...DEFAULT_VIEW, ...withState(DEFAULT_VIEW, CHARTS_PART, { chart }) };
      const read = decodeHash(encodeHash(state, VIEWS), VIEWS);
      expect(stateOf(read, CHARTS_PART).chart).toBe(chart);
    }
    expect(stateOf(decodeHash('#chart=pie', VIEWS), CHARTS_PART).chart).toBeUndefined();
  });

  it.each([
    ['a profile', profilePage],
    ['a graph', graphPage],
    ['accesses', accessesPage],
  ])('have keys that do one thing each: the page of %s', (_, page) => {
    const all = [PAGE_KEYS, ...page.keys];
    for (const { scope } of all) {
      const scopes = all.filter((one) => one.scope === scope);
      const chords = scopes.flatMap(({ keys }) => keys.flatMap((binding) => binding.keys));
      expect(new Set(chords).size, scope).toBe(chords.length);
    }
  });

  it('have all of their state in the address', () => {
    expect(Object.keys(PARTS).sort()).toEqual(parts.map(({ key }) => key).sort());
    for (const { id } of VIEWS) {
      const state = { ...DEFAULT_VIEW, view: id, parts: PARTS };
      expect(decodeHash(`#${encodeHash(state, VIEWS)}`, VIEWS)).toEqual(state);
    }
  });

  it('have nothing in the address that is at its standard', () => {
    const standard = Object.fromEntries(parts.map((part) => [part.key, part.standard]));
    expect(decodeHash('', VIEWS)).toEqual({ ...DEFAULT_VIEW, parts: standard });
    expect(encodeHash({ ...DEFAULT_VIEW, parts: standard }, VIEWS)).toBe('');
    expect(decodeHash('#view=round', VIEWS).view).toBeUndefined();
  });

  it.each([
    '#sort=self_value&list=cells&row=-1&open=a..b&went=up',
    '#lk=_.__!_&rank=1.1',
    '#lk=__&rank=2',
    '#pm=0&pm=-1:2&pm=99:1&pm=1:=&pm=1:x',
    '#t=2~1&tt=x&tsort=A&ts=-1&tb=A',
    '#hc=1&chart=pie&cut=3&tint=red&nodes=7',
    '#xp=none&xof=x&xbase=-1&xrow=x&rowsby=none',
  ])('survive nonsense in the address: %s', (hash) => {
    expect(decodeHash(hash, VIEWS)).toEqual(decodeHash('', VIEWS));
  });

  it('are chosen, or suit the profile', () => {
    expect(shown(undefined, undefined)).toBe('flame');
    expect(shown(undefined, SAMPLES)).toBe('flame');
    expect(shown(undefined, TRACE)).toBe('timeline');
    expect(shown(undefined, { ...TRACE, is_experiment: true })).toBe('experiment');
    expect(shown('heat', TRACE)).toBe('heat');
    expect(shown('table', EXPERIMENT)).toBe('table');
  });

  it('show nothing of a profile without samples, but for experiments', () => {
    const empty = { ...EXPERIMENT, points: 0 };
    expect(fittingViews(VIEWS, empty).map(({ id }) => id)).toEqual(['experiment']);
    expect(shown('table', empty)).toBe('experiment');
    expect(fittingViews(VIEWS, { ...SAMPLES, points: 0 })).toEqual([]);
    expect(shown('table', { ...SAMPLES, points: 0 })).toBe('table');
  });

  it.each(VIEWS.filter(({ needs }) => needs !== undefined).map((one) => [one.id, one] as const))(
    'give way to another where a profile lacks what they show, and their keys say so: %s',
    (id, lacking: View) => {
      expect(fittingViews(VIEWS, SAMPLES)).not.toContain(lacking);
      expect(shown(id, SAMPLES)).toBe('flame');
      const { app, changes, notice } = pageOf(SAMPLES);
      commands(app)[`view_${id}`]?.();
      expect(notice.value).toBe(lacking.needs?.missing);
      expect(changes).toEqual([]);
      commands(app).view_table?.();
      expect(changes).toEqual([{ view: 'table' }]);
    },
  );

  it('leave out frames only where a tree is drawn or listed', () => {
    const { app } = pageOf(SAMPLES);
    expect(view('table').prunes(app)).toBe(false);
    const tree = { ...DEFAULT_VIEW, ...withState(DEFAULT_VIEW, TABLE_PART, { rows: 'tree' }) };
    expect(view('table').prunes(pageOf(SAMPLES, tree).app)).toBe(true);
    expect(view('flame').prunes(app)).toBe(true);
    expect(view('sandwich').prunes(app)).toBe(false);
    expect(view('timeline').prunes(app)).toBe(true);
    const spans = {
      ...DEFAULT_VIEW,
      ...withState(DEFAULT_VIEW, TIMELINE_PART, { below: 'spans' }),
    };
    expect(view('timeline').prunes(pageOf(SAMPLES, spans).app)).toBe(false);
  });
});
