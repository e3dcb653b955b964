import type {
  AdviceRuleInfo,
  Filter,
  Engine,
  FilterKind,
  FunctionRef,
  Granularity,
  Normalise,
} from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import { exactPattern } from '../../text/patterns.ts';
import { changedParts } from '../address-part.ts';
import type { Documents, KindState } from '../documents.ts';
import type { ViewHistory } from '../history.ts';
import type { Notices } from '../notices.ts';
import { fittingViews, frameView, shownViewOf, type View } from '../view.ts';
import { NO_ZOOM, pathInShape, type ShapeKind } from '../view-state.ts';
import { type AdviceState, createAdvice } from './advice.ts';
import { createEstimates, type Estimates } from './estimates.ts';
import { problemOf } from './filters.ts';
import { createLook, type Look } from './look.ts';
import { createMetrics, type MetricState } from './metric.ts';
import { createPins, type Pins } from './pins.ts';
import { createPruned, type PrunedState } from './pruned.ts';
import { createTree, type TreeState } from './tree.ts';

/** The views of a profile. */
export interface Shown {
  /** All that there are. */
  readonly views: readonly View[];
  /** Those that show something of the profile. */
  readonly fittingViews: ReadonlySignal<readonly View[]>;
  /** The one that is on screen. */
  readonly shownView: ReadonlySignal<View>;
}

/** What changes the view of a profile. */
export interface ProfileActions {
  setShape(shape: ShapeKind): void;
  setGranularity(granularity: Granularity): void;
  addFilter(kind: FilterKind, pattern: string): void;
  /** Adds filters in one step. */
  addFilters(filters: readonly Filter[]): void;
  /** Adds a filter that was typed, unless something is wrong with it, which it tells. */
  tryFilter(kind: FilterKind, pattern: string): Promise<string | undefined>;
  removeFilter(index: number): void;
  /** Makes members of something else; as they came where undefined. */
  setMembers(by: string | undefined): void;
  /** Shows what calls a function, and what that calls. */
  openFunction(key: number): void;
  /** Shows the frames of a function in the flame graph. */
  reveal(name: string, of?: FunctionRef): void;
}

/** What opens a document made of the shown one. */
export interface Together {
  /** Opens what the older of the shown document and another one has against the other. */
  compareWith(other: number): Promise<void>;
  /** Opens what documents have against others, each one of the runs of its side. */
  compareSides(base: readonly number[], now: readonly number[]): Promise<void>;
  /** Opens what a part of the shown document has against another part of it; the document of that. */
  compareParts(base: readonly Filter[], now: readonly Filter[]): Promise<number | undefined>;
  /** Shows the shown comparison with base and new the other way round. */
  swap(): Promise<void>;
  /** Shows the shown comparison with values brought to another scale. */
  normalise(by: Normalise): Promise<void>;
  /** Opens several documents as one. */
  mergeAll(documents: readonly number[]): Promise<void>;
}

/** The state of a profile's page. */
export interface ProfileState
  extends
    KindState,
    MetricState,
    Shown,
    TreeState,
    Look,
    ProfileActions,
    Together,
    Pins,
    AdviceState,
    PrunedState {
  readonly estimates: ReadonlySignal<Estimates>;
}

export function createProfile(
  engine: Engine,
  documents: Documents,
  history: ViewHistory,
  notices: Notices,
  rules: readonly AdviceRuleInfo[],
  views: readonly View[],
): ProfileState {
  const { load, clear, ...metrics } = createMetrics(engine, documents.shown, history, notices);
  const shown = createShown(views, history, metrics);
  const tree = createTree(engine, documents.shown, history, metrics, shown.shownView, notices);
  const parts = views.flatMap(({ state }) => state ?? []);
  const pins = createPins();
  const look = createLook();
  return {
    ...metrics,
    ...shown,
    ...tree,
    ...createEstimates(engine, metrics, tree.spec),
    ...createAdvice(engine, metrics, tree.spec, rules),
    ...look,
    ...createActions(engine, tree.spec, history, look.revealing, shown),
    ...createTogether(engine, documents, history, views),
    ...pins,
    ...createPruned(documents.shown, history, metrics),
    load,
    clear() {
      pins.clearPins();
      clear();
    },
    blank(view) {
      tree.selection.pick(undefined);
      return {
        metric: undefined,
        formula: undefined,
        colour: undefined,
        filters: [],
        zoom: NO_ZOOM,
        selection: [],
        fn: undefined,
        fns: [],
        search: '',
        ...changedParts(view, parts, (part, state) => part.elsewhere?.(state)),
      };
    },
  };
}

function createShown(
  views: readonly View[],
  { view }: ViewHistory,
  { summary }: Pick<MetricState, 'summary'>,
): Shown {
  const chosen = computed(() => view.value.view);
  return {
    views,
    fittingViews: computed(() => fittingViews(views, summary.value)),
    shownView: computed(() => shownViewOf(views, chosen.value, summary.value)),
  };
}

/** Keys are numbers of one granularity and of one set of members, and mean nothing in another. */
const NO_KEYS = { zoom: NO_ZOOM, selection: [], fn: undefined, fns: [] };

function createActions(
  engine: Engine,
  spec: TreeState['spec'],
  { view, update }: ViewHistory,
  revealing: Look['revealing'],
  { views, shownView }: Shown,
): ProfileActions {
  const parts = views.flatMap(({ state }) => state ?? []);
  const noKeys = () => ({
    ...NO_KEYS,
    ...changedParts(view.peek(), parts, (part, own) => part.withoutKeys?.(own)),
  });
  const actions: ProfileActions = {
    setShape(shape) {
      const { selection, shape: from } = view.value;
      if (shape === from) return;
      const moved = (path: readonly number[]) => pathInShape(path, from, shape);
      const inShape = changedParts(view.value, parts, (part, own) => part.inShape?.(own, moved));
      update({ shape, zoom: NO_ZOOM, selection: moved(selection), ...inShape }, 'push');
    },
    setGranularity(granularity) {
      update({ granularity, ...noKeys() }, 'push');
    },
    addFilter(kind, pattern) {
      if (pattern !== '') actions.addFilters([{ kind, pattern }]);
    },
    addFilters(filters) {
      const { filters: before, zoom } = view.value;
      update({ filters: [...before, ...filters], zoom: { ...zoom, range: NO_ZOOM.range } }, 'push');
    },
    async tryFilter(kind, pattern) {
      const tree = spec.peek();
      if (tree === undefined) return undefined;
      const problem = await problemOf(engine, tree, { kind, pattern });
      if (problem === undefined) actions.addFilter(kind, pattern);
      return problem;
    },
    removeFilter(index) {
      const { filters: before, zoom } = view.value;
      update(
        { filters: before.toSpliced(index, 1), zoom: { ...zoom, range: NO_ZOOM.range } },
        'push',
      );
    },
    setMembers(by) {
      // Which functions are the same may depend on the members.
      update({ members: by, ...noKeys() }, 'push');
    },
    openFunction(key) {
      const ofFunction = views.find((one) => one.ofFunction);
      if (ofFunction !== undefined) update({ view: ofFunction.id, fn: key }, 'push');
    },
    reveal(name, of) {
      revealing.value = { name, of };
      // Names do not always tell which function it is.
      const search = of === undefined ? exactPattern(name) : '';
      const { id } = frameView(views, shownView.peek());
      update({ search, view: id, zoom: NO_ZOOM }, 'push');
    },
  };
  return actions;
}

function createTogether(
  engine: Engine,
  documents: Pick<Documents, 'shown' | 'refresh' | 'open'>,
  { update }: ViewHistory,
  views: readonly View[],
): Together {
  const { shown, refresh, open } = documents;
  return {
    async compareWith(other) {
      const document = shown.peek();
      if (document === undefined) return;
      const { result } = await engine.call('compare', {
        base: [document],
        new: [other],
        by_age: true,
        normalise: { kind: 'absolute' },
        noise: 0,
      });
      await refresh();
      open(result.document);
    },
    async compareSides(base, now) {
      const { result } = await engine.call('compare', {
        base: [...base],
        new: [...now],
        by_age: false,
        normalise: { kind: 'absolute' },
        noise: 0,
      });
      await refresh();
      open(result.document);
    },
    async compareParts(base, now) {
      const document = shown.peek();
      if (document === undefined) return undefined;
      const { result } = await engine.call('compare', {
        base: [document],
        new: [document],
        by_age: false,
        normalise: { kind: 'absolute' },
        noise: 0,
        filters: [[...base], [...now]],
      });
      await refresh();
      open(result.document);
      // Both sides stand at their own times: what is to be seen is what differs.
      update({ view: frameView(views).id }, 'replace');
      return result.document;
    },
    async swap() {
      const document = shown.peek();
      if (document === undefined) return;
      const { result } = await engine.call('swap', { document });
      await refresh();
      // Frames have the same numbers either way round: all of the view stays.
      update({ document: result.document }, 'push');
    },
    async normalise(by) {
      const document = shown.peek();
      if (document === undefined) return;
      const { result } = await engine.call('normalise', { document, normalise: by });
      await refresh();
      // So it is here.
      update({ document: result.document }, 'push');
    },
    async mergeAll(several) {
      const { result } = await engine.call('merge', { documents: [...several] });
      await refresh();
      open(result.document);
    },
  };
}
