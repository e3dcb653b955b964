import {
  type Answer,
  type ColourBy,
  type Connection,
  type DocumentInfo,
  Engine,
  type EngineError,
  type FilterKind,
  type Granularity,
  type GraphSummaryResult,
  isCancelled,
  type MetricInfo,
  type Normalise,
  type Progress,
  type ProtocolError,
  type RowsParams,
  type SummaryResult,
  type ViewSpec,
} from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Host } from '../host/host.ts';
import { createHues, type Hues } from '../canvas/colour.ts';
import type { Traits } from '../canvas/paint-plan.ts';
import { isPane } from '../canvas/scene.ts';
import { exactPattern, visible } from '../text/names.ts';
import { createGraph, forAnotherGraph, type GraphState } from './graph.ts';
import { createHistory, type Step } from './history.ts';
import { samePath, specKey } from './nodes.ts';
import { asEngineError, type Loaded, resource } from './resource.ts';
import { createSelection, type Selection } from './selection.ts';
import { type SourcePlace, sourceOf } from './source.ts';
import { createSplits } from './splits.ts';
import { createTheme, type Theme } from './theme.ts';
import { createUpload, type Upload } from './upload.ts';
import { NO_ZOOM, pathInShape, type ShapeKind, type ViewState, viewSpec } from './view-state.ts';

/** How far the shown document is. */
export type DocumentStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly title: string; readonly progress: Progress | undefined }
  | { readonly kind: 'ready'; readonly summary: SummaryResult; readonly totals: BigInt64Array }
  | { readonly kind: 'graph'; readonly summary: GraphSummaryResult }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly error: Pick<ProtocolError, 'message' | 'hint'>;
    };

/** What the main flame graph says in the status line. */
export interface FlameStatus {
  readonly merged: number;
  readonly narrowest: number;
}

export type Overlay = 'keys' | 'warnings' | 'filter' | 'formula' | 'open_as';

/** The state of the page: signals that views read and the actions that change them. */
export interface App {
  readonly host: Host;
  readonly engine: Engine;
  readonly connection: ReadonlySignal<Connection>;
  /** Undefined until the engine has told. */
  readonly documents: ReadonlySignal<readonly DocumentInfo[] | undefined>;
  /** Whether an editor is there that shows source. */
  readonly opensSource: ReadonlySignal<boolean>;
  readonly status: ReadonlySignal<DocumentStatus>;
  readonly view: ReadonlySignal<ViewState>;
  readonly summary: ReadonlySignal<SummaryResult | undefined>;
  /** Index of the shown metric. */
  readonly metric: ReadonlySignal<number>;
  readonly metricInfo: ReadonlySignal<MetricInfo>;
  /** What boxes are coloured by. */
  readonly colour: ReadonlySignal<ColourBy>;
  /** The tree on screen; undefined while there is no document. */
  readonly spec: ReadonlySignal<ViewSpec | undefined>;
  readonly selection: Selection;
  readonly search: ReadonlySignal<Loaded<Answer<'search'>>>;
  readonly filters: ReadonlySignal<Loaded<Answer<'filters'>>>;
  /** The shown document, where it is a dataflow graph. */
  readonly graph: GraphState;
  readonly theme: Theme;
  readonly upload: Upload;
  readonly traits: Signal<Traits | undefined>;
  /** The colours of the shown document's groups. */
  readonly hues: ReadonlySignal<Hues>;
  /** The request for all rows of the table as it is folded; undefined where none is shown. */
  readonly tableRequest: Signal<(() => RowsParams | undefined) | undefined>;
  readonly flameStatus: Signal<FlameStatus | undefined>;
  readonly overlay: Signal<Overlay | undefined>;
  readonly detailsOpen: Signal<boolean>;
  /** One line about something that just happened; goes away by itself. */
  readonly notice: Signal<string | undefined>;
  /** The function whose frames are to be found and its largest selected. */
  readonly revealing: Signal<string | undefined>;
  update(change: Partial<ViewState>, step: Step): void;
  /** Shows a metric that the document has. */
  setMetric(metric: number): void;
  /** Shows the metric of a formula; the error where it cannot be one. */
  setFormula(formula: string): Promise<EngineError | undefined>;
  setShape(shape: ShapeKind): void;
  setGranularity(granularity: Granularity): void;
  addFilter(kind: FilterKind, pattern: string): void;
  removeFilter(index: number): void;
  openDocument(document: number): void;
  closeDocument(document: number): Promise<void>;
  /** Reads the shown document once more, in a format that is told. */
  readAs(format: string): Promise<void>;
  /** Makes members of something else; as they came where undefined. */
  setMembers(by: string | undefined): void;
  openSandwich(key: number): void;
  /** Opens what the shown document has against another one. */
  compareWith(other: number): Promise<void>;
  /** Shows the shown comparison with values brought to another scale. */
  normalise(by: Normalise): Promise<void>;
  /** Opens the shown document and another one as one. */
  mergeWith(other: number): Promise<void>;
  /** Shows the frames of a function in the flame graph. */
  reveal(name: string): void;
  /** Shows a source line of the shown document in the editor. */
  openSource(place: SourcePlace, takeFocus: boolean): void;
  /** The same for the selected frame, once all about it is known. */
  openSelected(takeFocus: boolean): void;
  /** A frame was pointed at: in an editor's panel the source follows, and the panel keeps the keyboard. */
  pointed(): void;
  refreshDocuments(): Promise<void>;
  fail(error: unknown): void;
}

const NO_METRIC: MetricInfo = {
  name: '',
  unit: '',
  decimals: 0,
  formula: null,
  adds_up: true,
  combine: 'sum',
};

export function createApp(host: Host): App {
  const page = host.window;
  const connection = signal<Connection>('connecting');
  /** Counts connections, so that everything is asked for again after a new one. */
  const epoch = signal(0);
  const engine = new Engine(host.connect, (state) => {
    connection.value = state;
    if (state === 'open') epoch.value++;
  });
  const history = createHistory(host.address);
  const { view } = history;
  const documents = signal<readonly DocumentInfo[] | undefined>(undefined);
  const opensSource = signal(false);
  const status = signal<DocumentStatus>({ kind: 'none' });
  const notice = signal<string | undefined>(undefined);
  const revealing = signal<string | undefined>(undefined);
  /** Set while the selected frame's source is to be opened. */
  const opening = signal<{ readonly takeFocus: boolean } | undefined>(undefined);
  const traits = signal<Traits | undefined>(undefined);
  const hues = signal(createHues());

  const summary = computed(() =>
    status.value.kind === 'ready' ? status.value.summary : undefined,
  );
  const metric = computed(() => {
    const info = summary.value;
    const { metric: wanted, formula } = view.value;
    const defined = info?.metrics.findIndex((known) => known.formula === formula) ?? -1;
    if (formula !== undefined && defined >= 0) return defined;
    return wanted !== undefined && wanted < (info?.metrics.length ?? 0)
      ? wanted
      : (info?.default_metric ?? 0);
  });
  const metricInfo = computed(() => summary.value?.metrics[metric.value] ?? NO_METRIC);
  const colour = computed<ColourBy>(
    () => view.value.colour ?? (summary.value?.comparison == null ? 'module' : 'change'),
  );
  const isLinked = computed(
    () => view.value.view === 'linked' && (summary.value?.roles.length ?? 0) > 0,
  );
  /** What the address names; what is shown may be the same with other members. */
  const namedDocument = computed(() => view.value.document ?? documents.value?.at(0)?.document);
  const splits = createSplits(engine, { document: namedDocument, view, epoch }, (error) => {
    history.update({ members: undefined }, 'replace');
    fail(error);
  });
  const shownDocument = splits.shown;
  // The text changes only when the tree does, not at every change of the view.
  const specText = computed(() => {
    const document = shownDocument.value;
    if (document === undefined || summary.value === undefined) return undefined;
    return specKey(viewSpec(view.value, document, metric.value));
  });
  const spec = computed(() =>
    specText.value === undefined ? undefined : (JSON.parse(specText.value) as ViewSpec),
  );
  const selection = createSelection(engine, spec);
  const graphSummary = signal<GraphSummaryResult | undefined>(undefined);
  const graph = createGraph({
    engine,
    view,
    document: shownDocument,
    summary: graphSummary,
    wide: page.innerWidth >= 1100,
    update: history.update,
  });

  const searchInput = computed(() => {
    const pattern = view.value.search;
    return spec.value === undefined || pattern === '' ? undefined : { view: spec.value, pattern };
  });
  const { state: search } = resource(searchInput, (params, signal) =>
    engine.call('search', params, { signal }),
  );
  const filterInput = computed(() =>
    spec.value === undefined || spec.value.filters.length === 0
      ? undefined
      : isLinked.value
        ? { ...spec.value, role: { role: 0, chosen: [] } }
        : spec.value,
  );
  const { state: filters } = resource(filterInput, (wanted, signal) =>
    engine.call('filters', { view: wanted }, { signal }),
  );

  async function refreshDocuments(): Promise<void> {
    const { result } = await engine.call('documents', {});
    batch(() => {
      documents.value = result.documents;
      opensSource.value = result.opens_source;
    });
  }

  function fail(error: unknown): void {
    if (isCancelled(error)) return;
    const { message, hint, code } = asEngineError(error);
    if (code !== 'disconnected') notice.value = hint === '' ? message : `${message} ${hint}`;
  }

  /** Defines a metric and reads the summary again, which then has it; gives its index. */
  async function define(document: number, formula: string): Promise<number> {
    const defined = await engine.call('define_metric', { document, name: '', formula });
    const { result, columns } = await engine.call('summary', { document });
    if (shownDocument.peek() === document && status.peek().kind === 'ready') {
      status.value = { kind: 'ready', summary: result, totals: columns.total };
    }
    return defined.result.metric;
  }

  // An address may name a formula that this document has not been asked for yet.
  effect(() => {
    const { formula } = view.value;
    const info = summary.value;
    const document = shownDocument.value;
    if (formula === undefined || info === undefined || document === undefined) return;
    if (info.metrics.some((known) => known.formula === formula)) return;
    app.setFormula(formula).then((error) => {
      if (error === undefined) return;
      history.update({ formula: undefined }, 'replace');
      fail(error);
    }, fail);
  });

  effect(() => {
    if (epoch.value > 0) refreshDocuments().catch(fail);
  });

  effect(() => {
    const document = shownDocument.value;
    const title = () =>
      documents.peek()?.find((info) => info.document === namedDocument.peek())?.title ?? 'profile';
    if (epoch.value === 0 || namedDocument.value === undefined) {
      status.value = { kind: 'none' };
      return undefined;
    }
    if (document === undefined) {
      status.value = { kind: 'loading', title: title(), progress: undefined };
      return undefined;
    }
    const controller = new AbortController();
    traits.value = undefined;
    hues.value = createHues();
    graphSummary.value = undefined;
    status.value = { kind: 'loading', title: title(), progress: undefined };
    const options = {
      signal: controller.signal,
      onProgress: (progress: Progress) => {
        if (status.peek().kind === 'loading') {
          status.value = { kind: 'loading', title: title(), progress };
        }
      },
    };
    const failed = (error: EngineError) => {
      if (isCancelled(error) || error.code === 'disconnected') return;
      status.value = { kind: 'failed', title: title(), error };
    };
    engine.call('summary', { document }, options).then(
      ({ result, columns }) => {
        status.value = { kind: 'ready', summary: result, totals: columns.total };
      },
      (error: EngineError) => {
        if (error.code !== 'wrong_kind') {
          failed(error);
          return;
        }
        engine.call('graph_summary', { document }, options).then(({ result }) => {
          batch(() => {
            graphSummary.value = result;
            status.value = { kind: 'graph', summary: result };
          });
        }, failed);
      },
    );
    return () => controller.abort();
  });

  // A document may have failed before the list has told what it is called.
  effect(() => {
    const shown = namedDocument.value;
    const title = documents.value?.find((info) => info.document === shown)?.title;
    const now = status.peek();
    if (title === undefined || (now.kind !== 'failed' && now.kind !== 'loading')) return;
    if (now.title !== title) status.value = { ...now, title };
  });

  effect(() => {
    const title =
      status.value.kind === 'ready' || status.value.kind === 'graph'
        ? status.value.summary.title
        : status.value.kind === 'none'
          ? undefined
          : status.value.title;
    page.document.title = title === undefined ? 'Hotframe' : `${visible(title)} – Hotframe`;
  });

  // The address and the selection follow each other: a selected node's path goes into the address,
  // a path in the address that is not the selected node's is looked up.
  effect(() => {
    const tree = spec.value;
    const path = view.value.selection;
    // The linked view has selections of its own.
    if (tree === undefined || isLinked.value) return;
    const target = selection.target.peek();
    const known = selection.selected.peek().value;
    const sameTree = target !== undefined && specKey(target.spec) === specKey(tree);
    if (path.length === 0) {
      if (sameTree && target.path?.length === 0) return;
      // A node whose path is not known yet has nothing in the address either.
      if (
        target !== undefined &&
        (target.path !== undefined || !sameTree) &&
        !isPane(target.spec)
      ) {
        selection.pick(undefined);
      }
      return;
    }
    const shown =
      target?.path ?? (known?.place.node === target?.place?.node ? known?.path : undefined);
    if (sameTree && (shown === undefined || samePath(shown, path))) return;
    selection.pick({ spec: tree, place: undefined, path });
  });
  effect(() => {
    const found = selection.selected.value.value;
    const tree = spec.peek();
    if (found === undefined || selection.selected.value.pending || tree === undefined) return;
    if (specKey(found.spec) !== specKey(tree)) return;
    if (found.isProgram || selection.target.peek() === undefined) return;
    if (!samePath(found.path, view.peek().selection)) {
      history.update({ selection: found.path }, 'replace');
    }
  });

  effect(() => {
    const wanted = opening.value;
    const { value: found, pending } = selection.selected.value;
    if (wanted === undefined || pending || found === undefined) return;
    opening.value = undefined;
    const place = sourceOf(found);
    if (!opensSource.peek()) notice.value = 'No editor is connected that could show the source.';
    else if (place !== undefined) app.openSource(place, wanted.takeFocus);
    else if (!found.isProgram) notice.value = 'The profile does not say where its source is.';
  });

  // A graph that was closed is nothing to compare with any more.
  effect(() => {
    const { against } = view.value.graph;
    const known = documents.value;
    if (against === undefined || known === undefined) return;
    if (known.every(({ document }) => document !== against)) {
      graph.update({ against: undefined }, 'replace');
    }
  });

  effect(() => {
    const wanted = opening.value;
    const { value: found, pending } = graph.element.value;
    if (wanted === undefined || graphSummary.value === undefined || pending) return;
    opening.value = undefined;
    const source = found?.result.source ?? null;
    if (found === undefined) return;
    if (source !== null && opensSource.peek()) app.openSource(source, wanted.takeFocus);
    else if (!wanted.takeFocus) return;
    else if (source !== null) notice.value = `${source.file}:${source.line}`;
    else notice.value = 'The graph does not say where its source is.';
  });

  const app: App = {
    host,
    engine,
    connection,
    documents,
    opensSource,
    status,
    view,
    summary,
    metric,
    metricInfo,
    colour,
    spec,
    selection,
    search,
    filters,
    graph,
    theme: createTheme(page.document.documentElement, host.editor?.theme),
    upload: createUpload(engine, async (document) => {
      await refreshDocuments();
      const opened = documents.peek()?.find((info) => info.document === document)?.title ?? '';
      if (graphSummary.peek() === undefined || isGraphFile(opened)) app.openDocument(document);
      else graph.offer.value = { document, title: opened };
    }),
    traits,
    hues,
    tableRequest: signal(undefined),
    flameStatus: signal(undefined),
    overlay: signal(undefined),
    detailsOpen: signal(page.innerWidth >= 900),
    notice,
    revealing,
    update: history.update,
    setMetric(wanted) {
      const formula = summary.peek()?.metrics[wanted]?.formula ?? undefined;
      // Those of a comparison are always there, in the same order.
      const own = formula !== undefined && summary.peek()?.comparison == null;
      history.update(
        own ? { metric: undefined, formula } : { metric: wanted, formula: undefined },
        'push',
      );
    },
    async setFormula(formula) {
      const document = shownDocument.peek();
      if (document === undefined) return undefined;
      try {
        const metric = await define(document, formula);
        const written = summary.peek()?.metrics[metric]?.formula ?? formula;
        const step = view.peek().formula === formula ? 'replace' : 'push';
        history.update({ metric: undefined, formula: written }, step);
        return undefined;
      } catch (error) {
        return asEngineError(error);
      }
    },
    setShape(shape) {
      const { selection, linked, shape: from } = view.value;
      if (shape === from) return;
      const moved = (path: readonly number[]) => pathInShape(path, from, shape);
      history.update(
        { shape, zoom: NO_ZOOM, selection: moved(selection), linked: linked.map(moved) },
        'push',
      );
    },
    setGranularity(granularity) {
      // Keys are numbers of one granularity and mean nothing in another.
      history.update(
        { granularity, zoom: NO_ZOOM, selection: [], fn: undefined, linked: [] },
        'push',
      );
    },
    addFilter(kind, pattern) {
      if (pattern === '') return;
      const { filters: before, zoom } = view.value;
      history.update(
        { filters: [...before, { kind, pattern }], zoom: { ...zoom, range: NO_ZOOM.range } },
        'push',
      );
    },
    removeFilter(index) {
      const { filters: before, zoom } = view.value;
      history.update(
        { filters: before.toSpliced(index, 1), zoom: { ...zoom, range: NO_ZOOM.range } },
        'push',
      );
    },
    openDocument(document) {
      batch(() => {
        selection.pick(undefined);
        graph.offer.value = undefined;
        history.update(
          {
            document,
            members: undefined,
            graph: forAnotherGraph(view.peek().graph),
            metric: undefined,
            formula: undefined,
            colour: undefined,
            filters: [],
            zoom: NO_ZOOM,
            selection: [],
            fn: undefined,
            linked: [],
            ranked: undefined,
            sort: undefined,
            search: '',
            tableFilter: '',
          },
          'push',
        );
      });
    },
    async closeDocument(document) {
      const { result } = await engine.call('close', { document });
      documents.value = result.documents;
      const next = result.documents.at(-1)?.document;
      if (next !== undefined) app.openDocument(next);
      else history.update({ document: undefined }, 'replace');
    },
    async readAs(format) {
      const document = namedDocument.peek();
      if (document === undefined) return;
      const failed = status.peek().kind === 'failed';
      const { result } = await engine.call('read_as', { document, format });
      // What an editor has loaded is closed there.
      if (failed && !opensSource.peek()) await engine.call('close', { document });
      await refreshDocuments();
      app.openDocument(result.document);
    },
    setMembers(by) {
      // Which functions are the same may depend on the members, and with it their keys.
      history.update(
        { members: by, zoom: NO_ZOOM, selection: [], fn: undefined, linked: [] },
        'push',
      );
    },
    openSandwich(key) {
      history.update({ view: 'sandwich', fn: key }, 'push');
    },
    async compareWith(other) {
      const base = shownDocument.peek();
      if (base === undefined) return;
      const { result } = await engine.call('compare', {
        base: [base],
        new: [other],
        normalise: { kind: 'absolute' },
        noise: 0,
      });
      await refreshDocuments();
      app.openDocument(result.document);
    },
    async normalise(by) {
      const document = shownDocument.peek();
      if (document === undefined) return;
      const { result } = await engine.call('normalise', { document, normalise: by });
      await refreshDocuments();
      // Keys are numbered alike: all of the view stays.
      history.update({ document: result.document }, 'push');
    },
    async mergeWith(other) {
      const shown = shownDocument.peek();
      if (shown === undefined) return;
      const { result } = await engine.call('merge', { documents: [shown, other] });
      await refreshDocuments();
      app.openDocument(result.document);
    },
    reveal(name) {
      const { view: kind } = view.peek();
      revealing.value = name;
      history.update(
        {
          search: exactPattern(name),
          view: kind === 'both' ? kind : 'flame',
          zoom: NO_ZOOM,
        },
        'push',
      );
    },
    openSource({ file, line }, takeFocus) {
      const document = shownDocument.peek();
      if (document === undefined) return;
      const place = { document, file, line, take_focus: takeFocus };
      engine.call('open_source', place).catch(fail);
    },
    openSelected(takeFocus) {
      opening.value = { takeFocus };
    },
    pointed() {
      if (host.editor !== undefined) app.openSelected(false);
    },
    refreshDocuments,
    fail,
  };
  host.editor?.onDocument((document) =>
    history.update({ document, members: undefined }, 'replace'),
  );
  host.editor?.onReveal(app.reveal);
  host.editor?.onRestart(() => engine.connect());
  const wanted = new URLSearchParams(host.address.read()).get('at');
  if (wanted !== null) app.reveal(wanted);
  engine.connect();
  return app;
}

/** Whether a file's name says that it is a dataflow graph and not a measurement of one. */
export function isGraphFile(title: string): boolean {
  return /\.sdfgz?$/i.test(title);
}
