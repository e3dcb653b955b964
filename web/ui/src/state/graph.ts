import type {
  CountedOperations,
  Answer,
  Engine,
  EngineError,
  GraphMatch,
  GraphShow,
  GraphSummaryResult,
  GraphView,
} from '@hotframe/engine';
import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from '@preact/signals';
import { createDrawing, type Drawing, hasClosedStatesOnly, isOpen } from './graph-drawing.ts';
import {
  DEFAULT_GRAPH_VIEW,
  type GraphViewState,
  graphViewOf,
  settingsOf,
  showOf,
  withFold,
  withPath,
} from './graph-view.ts';
import { simulationOf } from './accesses-view.ts';
import { distinct } from './distinct.ts';
import type { Documents, KindState } from './documents.ts';
import type { Step } from './history.ts';
import { asEngineError, type Loaded, resource, steadyResource } from './resource.ts';
import type { ViewState } from './view-state.ts';

/** Matches of a search that are listed; all are counted. */
const MOST_MATCHES = 500;
/** The address follows a slider when it has rested for so long. */
const ADDRESS_GAP_MS = 300;

/** A drawing and what is laid over it. */
export interface GraphScene {
  readonly drawing: Drawing;
  /** Undefined where the engine could not tell. */
  readonly overlay: Answer<'graph_overlay'> | undefined;
  readonly show: GraphShow;
}

/** An element that is to be seen, once its containers are open. */
export interface Reveal {
  readonly element: number;
  /** The containers that it is in, the outermost first. */
  readonly path: readonly number[];
}

/** A document that could be laid over the graph. */
export interface Offer {
  readonly document: number;
  readonly title: string;
}

/** A panel beside the picture. */
export type GraphPanel = 'details' | 'symbols' | 'compare' | 'roofline' | 'fusions' | 'memory';

/** The state of a dataflow graph's screen. */
export interface GraphState extends KindState {
  readonly summary: ReadonlySignal<GraphSummaryResult | undefined>;
  /** What is in the address, with values of symbols that are being dragged. */
  readonly view: ReadonlySignal<GraphViewState>;
  /** The same with values as they were before a drag, for what need not follow at once. */
  readonly rested: ReadonlySignal<GraphViewState>;
  readonly spec: ReadonlySignal<GraphView | undefined>;
  readonly show: ReadonlySignal<GraphShow | undefined>;
  /** The last drawing whose overlay is known as well. */
  readonly scene: ReadonlySignal<GraphScene | undefined>;
  readonly error: ReadonlySignal<EngineError | undefined>;
  /** Whether another drawing is on its way. */
  readonly busy: ReadonlySignal<boolean>;
  readonly element: ReadonlySignal<Loaded<Answer<'graph_element'>>>;
  /** Elements that are added up. */
  readonly summed: ReadonlySignal<readonly number[]>;
  readonly sum: ReadonlySignal<Loaded<Answer<'graph_sum'>>>;
  readonly search: ReadonlySignal<Loaded<Answer<'graph_search'>>>;
  /** Which of the matches was jumped to last. */
  readonly match: Signal<number | undefined>;
  readonly revealing: Signal<Reveal | undefined>;
  /** Width of the screen in percent of its height, about; undefined until it is known. */
  readonly screen: Signal<number | undefined>;
  readonly panel: Signal<GraphPanel>;
  readonly outlineOpen: Signal<boolean>;
  readonly offer: Signal<Offer | undefined>;
  update(change: Partial<GraphViewState>, step: Step): void;
  select(element: number | undefined): void;
  /** Adds an element to the sum, or takes it out. */
  toggleSum(element: number): void;
  fold(element: number, open: boolean): void;
  /** Opens containers less deep than `depth`, and no others. */
  setDepth(depth: number | undefined): void;
  /** Opens only what matches of the search are in. */
  foldAllButMatches(): void;
  jumpTo(reveal: Reveal): void;
  jumpToMatch(index: number): void;
  stepMatch(by: 1 | -1): void;
  /** Sets a symbol; undefined for the suggested value. */
  setSymbol(name: string, value: number | undefined): void;
  setAllSymbols(change: (value: number) => number | undefined): void;
  /** Shows the same graph with other operations that count as work. */
  countOperations(operations: CountedOperations): Promise<void>;
  /** Joins what another document measured to the graph. */
  layOver(document: number): Promise<void>;
}

export function createGraph(options: {
  readonly engine: Engine;
  readonly documents: Pick<Documents, 'shown' | 'list' | 'refresh'>;
  readonly view: ReadonlySignal<ViewState>;
  /** Whether there is room for panels beside the picture. */
  readonly wide: boolean;
  update(change: Partial<ViewState>, step: Step): void;
}): GraphState {
  const { engine } = options;
  const document = options.documents.shown;
  const summary = signal<GraphSummaryResult | undefined>(undefined);
  /** Values of symbols that the address does not have yet. */
  const dragged = signal<GraphViewState['symbols'] | undefined>(undefined);
  const match = signal<number | undefined>(undefined);
  const revealing = signal<Reveal | undefined>(undefined);
  const screen = signal<number | undefined>(undefined);
  const view = computed(() => {
    const { graph } = options.view.value;
    return dragged.value === undefined ? graph : { ...graph, symbols: dragged.value };
  });

  // They change only when what they are made of does, not at every change of the view.
  const spec = distinct((): GraphView | undefined => {
    const shown = document.value;
    const place = screen.value;
    if (shown === undefined || summary.value === undefined || place === undefined) return undefined;
    return graphViewOf(view.value, shown, place);
  });
  const show = distinct(
    (): GraphShow | undefined =>
      summary.value && showOf(view.value, summary.value, simulationOf(options.view.value.accesses)),
  );

  const { state: drawing } = resource(spec, async (wanted, abort) => {
    const { result, columns } = await engine.call(
      'graph_drawing',
      { view: wanted },
      { signal: abort },
    );
    return createDrawing(wanted, result, columns);
  });
  const laid = computed(() => {
    const drawn = drawing.value.value;
    const wanted = show.value;
    // Joining a measurement changes the summary and what an overlay tells.
    const measurements = summary.value?.measurements.length ?? 0;
    return drawn === undefined || wanted === undefined
      ? undefined
      : { drawing: drawn, show: wanted, measurements };
  });
  const { state: overlay } = steadyResource(laid, async (wanted): Promise<GraphScene> => {
    const over = await engine
      .call('graph_overlay', { view: wanted.drawing.view, show: wanted.show })
      .catch((error: unknown) => {
        overlayError.value = asEngineError(error);
        return undefined;
      });
    if (over !== undefined) overlayError.value = undefined;
    return { drawing: wanted.drawing, overlay: over, show: wanted.show };
  });
  const overlayError = signal<EngineError | undefined>(undefined);
  const scene = signal<GraphScene | undefined>(undefined);
  effect(() => {
    const loaded = overlay.value.value;
    if (loaded !== undefined) scene.value = loaded;
    else if (summary.value === undefined) scene.value = undefined;
  });

  const elementInput = computed(() => {
    const element = view.value.selection;
    const shown = document.value;
    const wanted = show.value;
    summary.value;
    return element === undefined || shown === undefined || wanted === undefined
      ? undefined
      : { document: shown, element, show: wanted };
  });
  const { state: element } = steadyResource(elementInput, (params) =>
    engine.call('graph_element', params),
  );

  const summed = computed(() => view.value.summed);
  const sumInput = computed(() => {
    const shown = document.value;
    const elements = summed.value;
    const symbols = show.value?.symbols;
    return elements.length === 0 || shown === undefined || symbols === undefined
      ? undefined
      : { document: shown, elements: [...elements], symbols };
  });
  const { state: sum } = steadyResource(sumInput, (params) => engine.call('graph_sum', params));

  const searchText = computed(() => options.view.value.search);
  const searchInput = computed(() => {
    const shown = document.value;
    return searchText.value === '' || shown === undefined || summary.value === undefined
      ? undefined
      : { document: shown, text: searchText.value, limit: MOST_MATCHES };
  });
  /** A step that was asked for while matches were on their way. */
  let awaited: 1 | -1 | undefined;
  const { state: search } = resource(searchInput, (params, abort) => {
    match.value = undefined;
    return engine.call('graph_search', params, { signal: abort });
  });

  const update: GraphState['update'] = (change, step) =>
    options.update({ graph: { ...options.view.peek().graph, ...change } }, step);

  let addressTimer: ReturnType<typeof setTimeout> | undefined;
  function drag(symbols: GraphViewState['symbols']): void {
    dragged.value = symbols;
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      batch(() => {
        dragged.value = undefined;
        update({ symbols }, 'replace');
      });
    }, ADDRESS_GAP_MS);
  }

  const isOpenElement = (wanted: number): boolean => {
    const drawn = drawing.peek().value;
    const box = drawn?.boxOfElement.get(wanted);
    return drawn !== undefined && box !== undefined && isOpen(drawn, box);
  };

  const offer = signal<Offer | undefined>(undefined);
  const graph: GraphState = {
    async load(wanted, callOptions) {
      const { result } = await engine.call('graph_summary', { document: wanted }, callOptions);
      return {
        title: result.title,
        show: () => {
          summary.value = result;
        },
      };
    },
    clear() {
      summary.value = undefined;
    },
    blank(state) {
      offer.value = undefined;
      return { graph: forAnotherGraph(state.graph) };
    },
    summary,
    view,
    rested: computed(() => options.view.value.graph),
    spec,
    show,
    scene,
    error: computed(() => drawing.value.error ?? overlayError.value),
    busy: computed(() => drawing.value.pending),
    element,
    summed,
    sum,
    search,
    match,
    revealing,
    screen,
    panel: signal<GraphPanel>('details'),
    outlineOpen: signal(options.wide),
    offer,
    update,
    select(selection) {
      if (view.peek().selection !== selection) update({ selection }, 'replace');
    },
    toggleSum(toggled) {
      const known = summed.peek();
      const others = known.filter((one) => one !== toggled);
      update({ summed: others.length < known.length ? others : [...known, toggled] }, 'replace');
    },
    fold(container, open) {
      update(withFold(view.peek(), container, open), 'push');
    },
    setDepth(depth) {
      update({ depth, opened: [], closed: [] }, 'push');
    },
    foldAllButMatches() {
      const found = search.peek().value?.result.matches ?? [];
      const opened = [...new Set(found.flatMap(({ path }) => path))];
      update({ depth: 1, opened, closed: [], camera: undefined }, 'push');
    },
    jumpTo(reveal) {
      const opening = withPath(view.peek(), reveal.path, isOpenElement);
      batch(() => {
        revealing.value = reveal;
        update({ ...opening, selection: reveal.element }, 'push');
      });
    },
    jumpToMatch(index) {
      const found: GraphMatch | undefined = search.peek().value?.result.matches[index];
      if (found === undefined) return;
      match.value = index;
      graph.jumpTo(found);
    },
    stepMatch(by) {
      if (search.peek().pending) {
        awaited = by;
        return;
      }
      const count = search.peek().value?.result.matches.length ?? 0;
      if (count === 0) return;
      const at = match.peek();
      graph.jumpToMatch(at === undefined ? (by > 0 ? 0 : count - 1) : (at + by + count) % count);
    },
    setSymbol(name, value) {
      const others = view.peek().symbols.filter((setting) => setting.name !== name);
      drag(value === undefined ? others : [...others, { name, value }]);
    },
    setAllSymbols(change) {
      const info = summary.peek();
      if (info === undefined) return;
      const sizes = settingsOf(info, view.peek().symbols).filter(
        ({ name }) => info.symbols.find((symbol) => symbol.name === name)?.unknown === '',
      );
      const others = view
        .peek()
        .symbols.filter(({ name }) => sizes.every((size) => size.name !== name));
      const changed = sizes.flatMap(({ name, value }) => {
        const next = change(value);
        return next === undefined ? [] : [{ name, value: next }];
      });
      drag([...others, ...changed]);
    },
    async countOperations(operations) {
      const shown = document.peek();
      if (shown === undefined) return;
      const { result } = await engine.call('graph_counting', { document: shown, operations });
      await options.documents.refresh();
      // Elements have the same numbers: all of the view stays.
      options.update({ document: result.document }, 'push');
    },
    async layOver(measured) {
      const shown = document.peek();
      if (shown === undefined) return;
      const { result } = await engine.call('graph_measure', { document: shown, measured });
      const again = await engine.call('graph_summary', { document: shown });
      const metric = result.measurement.metrics[0];
      batch(() => {
        summary.value = again.result;
        if (metric !== undefined) update({ nodes: `measured:${metric.name}` }, 'push');
      });
    },
  };

  // Who opens a graph with what was measured wants to see that.
  const shownMeasured = new Set<number>();
  effect(() => {
    const shown = document.value;
    const metric = summary.value?.measurements[0]?.metrics[0];
    if (shown === undefined || metric === undefined || shownMeasured.has(shown)) return;
    shownMeasured.add(shown);
    if (view.peek().nodes === DEFAULT_GRAPH_VIEW.nodes) {
      update({ nodes: `measured:${metric.name}` }, 'replace');
    }
  });
  // Closed states tell nothing by their kind; what they move tells them apart.
  const shownClosed = new Set<number>();
  effect(() => {
    const drawn = drawing.value.value;
    const shown = document.value;
    if (drawn === undefined || drawn.view.document !== shown || shownClosed.has(shown)) return;
    shownClosed.add(shown);
    if (hasClosedStatesOnly(drawn) && view.peek().nodes === DEFAULT_GRAPH_VIEW.nodes) {
      update({ nodes: 'movement' }, 'replace');
    }
  });
  // A graph that was closed is nothing to compare with any more.
  effect(() => {
    const { against } = options.view.value.graph;
    const known = options.documents.list.value;
    if (against === undefined || known === undefined) return;
    if (known.every((info) => info.document !== against)) {
      update({ against: undefined }, 'replace');
    }
  });
  effect(() => {
    const by = awaited;
    if (search.value.pending || by === undefined) return;
    awaited = undefined;
    untracked(() => graph.stepMatch(by));
  });
  // Matches of one document are none of another.
  effect(() => {
    document.value;
    match.value = undefined;
    revealing.value = undefined;
    dragged.value = undefined;
    clearTimeout(addressTimer);
  });
  return graph;
}

/** Whether a file's name says that it is a dataflow graph and not a measurement of one. */
export function isGraphFile(title: string): boolean {
  return /\.sdfgz?$/i.test(title);
}

/** What stays of a state when another graph is shown: how it is told, not where one is. */
function forAnotherGraph(state: GraphViewState): GraphViewState {
  const { symbols, nodes, edges, basis, inBytes, scale, colours } = state;
  const kept = nodes.startsWith('measured:') ? 'none' : nodes;
  return { ...DEFAULT_GRAPH_VIEW, symbols, nodes: kept, edges, basis, inBytes, scale, colours };
}
