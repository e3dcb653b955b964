import type {
  CountedOperations,
  Answer,
  Engine,
  EngineError,
  GraphShow,
  GraphSummaryResult,
  GraphView,
} from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { hasClosedStatesOnly, isOpen } from './graph-drawing.ts';
import { createGraphScene, type GraphScene } from './graph-scene.ts';
import { createGraphSearch } from './graph-search.ts';
import { createSymbolDrag, withAllSymbols, withSymbol } from './graph-symbols.ts';
import {
  DEFAULT_GRAPH_VIEW,
  type GraphViewState,
  graphViewOf,
  type NodeChoice,
  showOf,
  withFold,
  withPath,
} from './graph-view.ts';
import { simulationOf } from './accesses-view.ts';
import { distinct } from './distinct.ts';
import type { Documents, KindState } from './documents.ts';
import type { Step } from './history.ts';
import { type Loaded, steadyResource } from './resource.ts';
import type { ViewState } from './view-state.ts';

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
  readonly match: ReadonlySignal<number | undefined>;
  readonly revealing: ReadonlySignal<Reveal | undefined>;
  /** Width of the screen in percent of its height, about; undefined until it is known. */
  readonly screen: ReadonlySignal<number | undefined>;
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
  /** Opens the containers of an element, selects it and has it brought into sight. */
  jumpTo(reveal: Reveal): void;
  /** Has an element brought into sight; undefined once it is. */
  reveal(wanted: Reveal | undefined): void;
  /** Drawings are made for a screen. */
  drawFor(screen: number): void;
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
  const revealing = signal<Reveal | undefined>(undefined);
  const screen = signal<number | undefined>(undefined);
  const update: GraphState['update'] = (change, step) =>
    options.update({ graph: { ...options.view.peek().graph, ...change } }, step);
  const symbols = createSymbolDrag((dragged) => {
    batch(() => {
      symbols.forget();
      update({ symbols: dragged }, 'replace');
    });
  });
  const { dragged } = symbols;
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

  const { scene, drawing, error, busy } = createGraphScene({ engine, spec, show, summary });

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

  const search = createGraphSearch({
    engine,
    text: computed(() => options.view.value.search),
    shown: computed(() => {
      const shown = summary.value && document.value;
      return shown === undefined ? undefined : { document: shown };
    }),
    jumpTo: (found) => graph.jumpTo(found),
  });

  const isOpenElement = (wanted: number): boolean => {
    const drawn = drawing.peek();
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
    error,
    busy,
    element,
    summed,
    sum,
    search: search.search,
    match: search.match,
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
      const opened = [...new Set(search.matches().flatMap(({ path }) => path))];
      update({ depth: 1, opened, closed: [], camera: undefined }, 'push');
    },
    jumpTo(reveal) {
      const opening = withPath(view.peek(), reveal.path, isOpenElement);
      batch(() => {
        revealing.value = reveal;
        update({ ...opening, selection: reveal.element }, 'push');
      });
    },
    reveal(wanted) {
      revealing.value = wanted;
    },
    drawFor(next) {
      screen.value = next;
    },
    jumpToMatch: search.jumpToMatch,
    stepMatch: search.stepMatch,
    setSymbol: (name, value) => symbols.drag(withSymbol(view.peek().symbols, name, value)),
    setAllSymbols(change) {
      const info = summary.peek();
      if (info !== undefined) symbols.drag(withAllSymbols(info, view.peek().symbols, change));
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

  /** Chooses what boxes say when a graph is first shown, unless somebody has chosen. */
  function chooseAtFirst<T>(
    known: (shown: number) => T | undefined,
    choose: (fact: T) => NodeChoice | undefined,
  ): void {
    const seen = new Set<number>();
    effect(() => {
      const shown = document.value;
      const fact = shown === undefined ? undefined : known(shown);
      if (shown === undefined || fact === undefined || seen.has(shown)) return;
      seen.add(shown);
      const nodes = choose(fact);
      if (nodes !== undefined && view.peek().nodes === DEFAULT_GRAPH_VIEW.nodes) {
        update({ nodes }, 'replace');
      }
    });
  }
  // Who opens a graph with what was measured wants to see that.
  chooseAtFirst(
    () => summary.value?.measurements[0]?.metrics[0],
    ({ name }) => `measured:${name}`,
  );
  // Closed states tell nothing by their kind; what they move tells them apart.
  chooseAtFirst(
    (shown) => (drawing.value?.view.document === shown ? drawing.value : undefined),
    (drawn) => (hasClosedStatesOnly(drawn) ? 'movement' : undefined),
  );
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
    document.value;
    search.forget();
    revealing.value = undefined;
    symbols.forget();
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
