import type { ColourBy, Engine, EngineError, ViewSpec } from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import {
  contentHeight,
  graphWidth,
  PADDING,
  ROW_HEIGHT,
  rowAt,
  type Size,
  shareAt,
} from '../../canvas/paint.ts';
import {
  boxAt,
  childrenOf,
  followKeys,
  isMerged,
  matchesOf,
  neighbourOf,
  parentOf,
  type Scene,
  type SceneSubject,
  type SceneWindow,
  widest,
} from '../../canvas/scene.ts';
import {
  between,
  clampRange,
  clampTop,
  panRange,
  type Range,
  rangeAround,
  type Viewport,
  WHOLE,
  withOverscan,
  zoomRange,
} from '../../canvas/viewport.ts';
import type { Step } from '../../state/history.ts';
import { samePath, specKey, startsWith } from '../../state/nodes.ts';
import { asEngineError } from '../../state/resource.ts';
import type { Selection } from '../../state/selection.ts';
import { NO_ZOOM, type Zoom } from '../../state/view-state.ts';
import { loadScene, rootKeys, rootPlace, sameRoot } from './source.ts';

/** What a flame graph shows; changes of it are followed. */
export interface FlameInput {
  readonly spec: ViewSpec;
  readonly zoom: Zoom;
  readonly search: string;
  readonly colour: ColourBy;
  readonly inverted: boolean;
}

export interface FlameOptions {
  readonly engine: Engine;
  readonly selection: Pick<Selection, 'nodeIn'>;
  readonly input: ReadonlySignal<FlameInput>;
  setZoom(zoom: Zoom, step: Step): void;
  /** A node of the tree was picked; `path` where the picture shows all of the way to it. */
  onPick(spec: ViewSpec, instance: number, node: number, path: readonly number[] | undefined): void;
  onUnpick(): void;
}

export interface FlameController {
  readonly scene: ReadonlySignal<Scene | undefined>;
  readonly viewport: ReadonlySignal<Viewport>;
  readonly size: Signal<Size>;
  readonly error: ReadonlySignal<EngineError | undefined>;
  /** Whether another tree or root is on its way. */
  readonly busy: ReadonlySignal<boolean>;
  readonly hovered: Signal<number | undefined>;
  /** The selected box, if it is in the scene. */
  readonly selected: ReadonlySignal<number | undefined>;
  hit(x: number, y: number): number | undefined;
  select(box: number): void;
  /** What a click does: selects; zooms to what is selected already and into merged frames. */
  activate(box: number): void;
  zoomToBox(box: number): void;
  zoomToSelected(): void;
  /** Zooms by a factor around a share of the visible width. */
  zoomBy(factor: number, anchor: number, smooth: boolean): void;
  panBy(share: number, smooth: boolean): void;
  scrollBy(pixels: number, smooth: boolean): void;
  /** Shows a range of the root's width, from a row on. */
  show(range: Range, top: number): void;
  /** One step back out; false where there is none. */
  zoomOut(): boolean;
  zoomToPath(path: readonly number[]): void;
  walk(direction: 'parent' | 'child' | 'left' | 'right'): void;
  jumpToMatch(step: 1 | -1): void;
  /** Selects the widest box that matches the search; false where none is drawn on its own. */
  selectLargestMatch(): boolean;
  dispose(): void;
}

/** Long enough to see where things go, short enough not to wait for. */
const ZOOM_MS = 150;
const SMOOTH_MS = 90;
/** At most so many requests a second while moving. */
const REQUEST_GAP_MS = 50;
/** The address is written when a motion has ended, not at each of its frames. */
const ADDRESS_GAP_MS = 250;
/** Rows asked for above and below what is in sight. */
const MORE_ROWS = 12;
/** A scene serves until boxes would be drawn so much wider than they were asked for. */
const COARSEST = 1.05;
const FINEST = 3;

export function createFlameController(options: FlameOptions): FlameController {
  const { engine, input, selection } = options;
  const scene = signal<Scene | undefined>(undefined);
  const viewport = signal<Viewport>({ ...WHOLE, top: 0 });
  const size = signal<Size>({ width: 0, height: 0 });
  const error = signal<EngineError | undefined>(undefined);
  const busy = signal(false);
  const hovered = signal<number | undefined>(undefined);
  const selected = computed(() => {
    const current = scene.value;
    if (current === undefined) return undefined;
    // `nodeIn` reads the selection's signals, which makes this follow it.
    const node = selection.nodeIn(current.subject.spec, current.result.instance);
    return node === undefined ? undefined : current.indexOfNode.get(node);
  });

  let subject: SceneSubject | undefined;
  /** Whether a change of the subject is on its way, during which nothing else is asked for. */
  let changing: AbortController | undefined;
  let refining: { readonly abort: AbortController; readonly window: SceneWindow } | undefined;
  let motion: { readonly to: Viewport; readonly frame: number; end(): void } | undefined;
  let lastRequest = 0;
  let refineTimer = 0;
  let addressTimer = 0;
  let publishedRange: Range = WHOLE;

  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  function clamp(next: Viewport): Viewport {
    const current = scene.peek();
    const content = current === undefined ? 0 : contentHeight(current);
    return { ...clampRange(next), top: clampTop(next.top, content, size.peek().height) };
  }

  function stopMotion(): void {
    if (motion === undefined) return;
    cancelAnimationFrame(motion.frame);
    const { end } = motion;
    motion = undefined;
    end();
  }

  /** Moves the viewport; resolves when it has arrived or another motion has begun. */
  function moveTo(to: Viewport, duration: number): Promise<void> {
    stopMotion();
    if (duration === 0 || reducedMotion.matches) {
      viewport.value = to;
      return Promise.resolve();
    }
    const from = viewport.peek();
    const start = performance.now();
    return new Promise((resolve) => {
      const tick = () => {
        const progress = Math.min(1, (performance.now() - start) / duration);
        const eased = 1 - (1 - progress) ** 3;
        viewport.value = progress === 1 ? to : between(from, to, eased);
        if (progress < 1) motion = { to, frame: requestAnimationFrame(tick), end: resolve };
        else {
          motion = undefined;
          resolve();
        }
      };
      motion = { to, frame: requestAnimationFrame(tick), end: resolve };
    });
  }

  function go(to: Viewport, smooth: boolean): void {
    void moveTo(clamp(to), smooth ? SMOOTH_MS : 0);
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(publish, ADDRESS_GAP_MS);
  }

  /** Where a motion under way will end: further steps add to that. */
  function goal(): Viewport {
    return motion?.to ?? viewport.peek();
  }

  function publish(): void {
    if (changing !== undefined) return;
    const { from, to } = viewport.peek();
    publishedRange = { from, to };
    options.setZoom({ ...input.peek().zoom, range: publishedRange }, 'replace');
  }

  function windowFor(view: Viewport): SceneWindow {
    const range = withOverscan(view);
    const { width, height } = size.peek();
    const rows = Math.ceil(height / ROW_HEIGHT) + 1;
    const firstVisible = Math.max(0, Math.floor(view.top / ROW_HEIGHT));
    return {
      ...range,
      width: (graphWidth({ width, height }) * (range.to - range.from)) / (view.to - view.from),
      firstRow: Math.max(0, firstVisible - MORE_ROWS),
      rows: rows + 2 * MORE_ROWS,
    };
  }

  function serves(have: SceneWindow, totalRows: number, view: Viewport): boolean {
    const perShare = graphWidth(size.peek()) / (view.to - view.from);
    const havePerShare = have.width / (have.to - have.from);
    const detail = perShare / havePerShare;
    const slack = (view.to - view.from) * 1e-6;
    const firstRow = Math.floor((view.top - PADDING) / ROW_HEIGHT);
    const lastRow = Math.min(totalRows, Math.ceil((view.top + size.peek().height) / ROW_HEIGHT));
    return (
      detail <= COARSEST &&
      detail >= 1 / FINEST &&
      have.from <= view.from + slack &&
      have.to >= view.to - slack &&
      have.firstRow <= Math.max(0, firstRow) &&
      have.firstRow + have.rows >= lastRow
    );
  }

  /** Asks for finer or further boxes if what is there does not serve the view any more. */
  function refine(): void {
    const current = scene.peek();
    const view = viewport.peek();
    if (changing !== undefined || subject === undefined || current === undefined) return;
    if (size.peek().width === 0) return;
    // Rows below the deepest that was drawn may exist at a finer resolution.
    if (serves(current.window, current.result.total_rows, view)) return;
    if (refining !== undefined) {
      if (serves(refining.window, current.result.total_rows, view)) return;
      refining.abort.abort();
      refining = undefined;
    }
    const wait = lastRequest + REQUEST_GAP_MS - performance.now();
    clearTimeout(refineTimer);
    if (wait > 0) {
      refineTimer = window.setTimeout(refine, wait);
      return;
    }
    lastRequest = performance.now();
    const abort = new AbortController();
    const wanted = windowFor(view);
    refining = { abort, window: wanted };
    loadScene(engine, subject, wanted, rootPlace(current), abort.signal).then(
      (loaded) => {
        if (abort.signal.aborted) return;
        refining = undefined;
        batch(() => {
          hovered.value = undefined;
          scene.value = loaded;
          error.value = undefined;
        });
        refine();
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        refining = undefined;
        error.value = asEngineError(reason);
      },
    );
  }

  /** Goes over to another tree, root or search, with a motion where the old picture leads there. */
  async function change(next: SceneSubject, range: Range): Promise<void> {
    const old = scene.peek();
    changing?.abort();
    refining?.abort.abort();
    refining = undefined;
    const abort = new AbortController();
    changing = abort;
    busy.value = true;
    subject = next;
    const sameTree = old !== undefined && specKey(old.subject.spec) === specKey(next.spec);
    const stays = old !== undefined && sameRoot(old.subject, next);
    const target: Viewport = stays ? goal() : { ...range, top: 0 };
    try {
      let arrived = Promise.resolve();
      const into =
        sameTree && !stays && startsWith(next.path, rootKeys(old))
          ? followKeys(old, next.path.slice(rootKeys(old).length))
          : undefined;
      if (into !== undefined && old !== undefined) {
        arrived = moveTo(boxViewport(old, into, range), ZOOM_MS);
      }
      const known = stays ? rootPlace(old) : undefined;
      const loaded = await loadScene(engine, next, windowFor(target), known, abort.signal);
      await arrived;
      if (abort.signal.aborted) return;
      const outOf =
        sameTree && !stays && old !== undefined && startsWith(rootKeys(old), next.path)
          ? loaded.indexOfNode.get(old.root)
          : undefined;
      if (!stays) stopMotion();
      batch(() => {
        scene.value = loaded;
        error.value = undefined;
        hovered.value = undefined;
        if (outOf !== undefined) viewport.value = boxViewport(loaded, outOf, viewport.peek());
        else if (!stays) viewport.value = target;
      });
      changing = undefined;
      busy.value = false;
      if (outOf !== undefined) await moveTo(target, ZOOM_MS);
      refine();
    } catch (reason) {
      if (abort.signal.aborted) return;
      changing = undefined;
      busy.value = false;
      error.value = asEngineError(reason);
    }
  }

  /** The viewport in a scene that shows a range of one of its boxes as if that were the root. */
  function boxViewport(within: Scene, box: number, range: Range & { top?: number }): Viewport {
    const x = within.boxes.x[box]!;
    const width = within.boxes.width[box]!;
    return {
      from: x + range.from * width,
      to: x + range.to * width,
      top: within.boxes.row[box]! * ROW_HEIGHT + (range.top ?? 0),
    };
  }

  /** Keys from the program to a box; undefined where rows above are not in the scene. */
  function keysOf(current: Scene, box: number): readonly number[] | undefined {
    const keys: number[] = [];
    let at: number | undefined = box;
    while (at !== undefined && current.boxes.row[at]! > 0) {
      keys.push(current.boxes.key[at]!);
      at = parentOf(current, at);
    }
    return at === undefined ? undefined : [...rootKeys(current), ...keys.reverse()];
  }

  function zoomToPath(path: readonly number[]): void {
    const { zoom } = input.peek();
    if (samePath(path, zoom.path)) {
      go({ ...WHOLE, top: 0 }, true);
      return;
    }
    const stops = startsWith(path, zoom.path)
      ? [...zoom.stops, zoom.path.length]
      : zoom.stops.filter(
          (stop) => stop < path.length && startsWith(path, zoom.path.slice(0, stop)),
        );
    options.setZoom({ path, stops, range: WHOLE }, 'push');
  }

  /** Brings a box into view without changing how closely one looks, if that is possible. */
  function reveal(current: Scene, box: number): void {
    const view = goal();
    const x = current.boxes.x[box]!;
    const width = current.boxes.width[box]!;
    const span = view.to - view.from;
    const hidden = x + width <= view.from || x >= view.to;
    const tooNarrow = (width / span) * graphWidth(size.peek()) < 3;
    const range = tooNarrow
      ? rangeAround(x, width * 8)
      : hidden
        ? clampRange({ from: x + width / 2 - span / 2, to: x + width / 2 + span / 2 })
        : view;
    const y = current.boxes.row[box]! * ROW_HEIGHT;
    const { height } = size.peek();
    const top =
      y < view.top || y + ROW_HEIGHT * 2 + PADDING > view.top + height ? y - height / 2 : view.top;
    if (range !== view || top !== view.top) go({ ...range, top }, true);
  }

  const controller: FlameController = {
    scene,
    viewport,
    size,
    error,
    busy,
    hovered,
    selected,
    hit(x, y) {
      const current = scene.peek();
      if (current === undefined) return undefined;
      const view = viewport.peek();
      const row = rowAt(y, view, size.peek(), input.peek().inverted);
      const slack = (view.to - view.from) / graphWidth(size.peek());
      return boxAt(current, shareAt(x, view, size.peek()), row, slack);
    },
    select(box) {
      const current = scene.peek();
      if (current === undefined) return;
      const { instance } = current.result;
      const node = current.boxes.node[box]!;
      options.onPick(current.subject.spec, instance, node, keysOf(current, box));
    },
    activate(box) {
      const current = scene.peek();
      const opens = current !== undefined && isMerged(current, box);
      if (opens || box === selected.peek()) controller.zoomToBox(box);
      else controller.select(box);
    },
    zoomToBox(box) {
      const current = scene.peek();
      if (current === undefined) return;
      if (isMerged(current, box)) {
        const range = rangeAround(current.boxes.x[box]!, current.boxes.width[box]!);
        go({ ...range, top: goal().top }, true);
        return;
      }
      const keys = keysOf(current, box);
      if (keys !== undefined) {
        zoomToPath(keys);
        return;
      }
      engine
        .call('details', {
          view: current.subject.spec,
          instance: current.result.instance,
          node: current.boxes.node[box]!,
        })
        .then(
          ({ result }) => zoomToPath(result.path.map(({ key }) => key)),
          (reason: unknown) => {
            error.value = asEngineError(reason);
          },
        );
    },
    zoomToSelected() {
      if (selected.peek() !== undefined) controller.zoomToBox(selected.peek()!);
    },
    zoomBy(factor, anchor, smooth) {
      const view = goal();
      go({ ...zoomRange(view, factor, anchor), top: view.top }, smooth);
    },
    panBy(share, smooth) {
      const view = goal();
      go({ ...panRange(view, share), top: view.top }, smooth);
    },
    scrollBy(pixels, smooth) {
      const view = goal();
      go({ ...view, top: view.top + pixels }, smooth);
    },
    show(range, top) {
      go({ ...range, top }, false);
    },
    zoomOut() {
      const view = goal();
      // While another root is on its way, the range is that of the old one.
      if (changing === undefined && view.to - view.from < 1 - 1e-9) {
        go({ ...WHOLE, top: view.top }, true);
        return true;
      }
      const { path, stops } = input.peek().zoom;
      if (path.length === 0) return false;
      const stop = stops.at(-1) ?? 0;
      const next = { path: path.slice(0, stop), stops: stops.slice(0, -1), range: WHOLE };
      options.setZoom(stop < path.length ? next : NO_ZOOM, 'push');
      return true;
    },
    zoomToPath,
    walk(direction) {
      const current = scene.peek();
      if (current === undefined || current.count === 0) return;
      const from = selected.peek();
      const next = from === undefined ? 0 : step(current, from, direction);
      if (next === undefined) return;
      controller.select(next);
      reveal(current, next);
    },
    jumpToMatch(direction) {
      const current = scene.peek();
      if (current === undefined) return;
      const matches = matchesOf(current);
      if (matches.length === 0) return;
      const from = selected.peek() ?? -1;
      const next =
        direction > 0
          ? (matches.find((box) => box > from) ?? matches[0]!)
          : (matches.findLast((box) => box < from) ?? matches.at(-1)!);
      controller.select(next);
      reveal(current, next);
    },
    selectLargestMatch() {
      const current = scene.peek();
      if (current === undefined) return false;
      const { width } = current.boxes;
      const widest = matchesOf(current)
        .filter((box) => !isMerged(current, box))
        .reduce<number | undefined>(
          (best, box) => (best === undefined || width[box]! > width[best]! ? box : best),
          undefined,
        );
      if (widest === undefined) return false;
      controller.select(widest);
      reveal(current, widest);
      return true;
    },
    dispose() {
      stopMotion();
      changing?.abort();
      refining?.abort.abort();
      clearTimeout(refineTimer);
      clearTimeout(addressTimer);
      for (const stop of disposers) stop();
    },
  };

  const disposers = [
    effect(() => {
      const { spec, zoom, search } = input.value;
      if (size.value.width === 0) return;
      const next: SceneSubject = { spec, path: zoom.path, search };
      const same =
        subject !== undefined && sameRoot(subject, next) && subject.search === next.search;
      if (!same) {
        publishedRange = zoom.range;
        void change(next, zoom.range);
      } else if (zoom.range.from !== publishedRange.from || zoom.range.to !== publishedRange.to) {
        publishedRange = zoom.range;
        void moveTo(clamp({ ...zoom.range, top: viewport.peek().top }), ZOOM_MS);
      }
    }),
    effect(() => {
      viewport.value;
      size.value;
      scene.value;
      refine();
    }),
  ];
  return controller;
}

function step(
  current: Scene,
  box: number,
  direction: 'parent' | 'child' | 'left' | 'right',
): number | undefined {
  switch (direction) {
    case 'parent':
      return parentOf(current, box);
    case 'child':
      return widest(current, childrenOf(current, box));
    case 'left':
      return neighbourOf(current, box, -1);
    case 'right':
      return neighbourOf(current, box, 1);
  }
}
