import type { ColourBy, Engine, EngineError, LabelBy, ViewSpec } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { afterRest, createMotion, STEP_MS } from '../../canvas/motion.ts';
import type { Size } from '../../canvas/rect.ts';
import { isMerged, isRest, parentOf, type Scene, type SceneSubject } from '../../canvas/scene.ts';
import {
  between,
  panRange,
  type Range,
  type Viewport,
  WHOLE,
  zoomRange,
} from '../../canvas/viewport.ts';
import type { Step } from '../../state/history.ts';
import { asEngineError } from '../../state/resource.ts';
import type { Pruned } from '../../state/pruning.ts';
import type { Selection } from '../../state/selection.ts';
import type { Zoom } from '../../state/view-state.ts';
import { createJumps, type Jumps } from './jumps.ts';
import { createSceneLoading, ZOOM_MS } from './loading.ts';
import { createPruning } from './pruning.ts';
import type { Hidden } from './rest-boxes.ts';
import {
  type BoxPlace,
  boxBeside,
  boxUnder,
  clampViewport,
  closerViewport,
  type FlameWalk,
  isWhole,
  keysOf,
  placeOfBox,
  viewportWith,
  zoomInto,
  zoomOutOf,
} from './moves.ts';
import { sameRoot } from './source.ts';

/** What a flame graph shows; changes of it are followed. */
export interface FlameInput {
  readonly spec: ViewSpec;
  readonly zoom: Zoom;
  readonly search: string;
  readonly labels: LabelBy;
  readonly colour: ColourBy;
  readonly inverted: boolean;
  /** What is not drawn; all is where undefined. */
  readonly pruned?: Pruned | undefined;
}

export interface FlameOptions {
  readonly engine: Engine;
  readonly selection: Pick<Selection, 'nodeIn'>;
  readonly input: ReadonlySignal<FlameInput>;
  setZoom(zoom: Zoom, step: Step): void;
  /** A node of the tree was picked; `path` where the picture shows all of the way to it. */
  onPick(spec: ViewSpec, instance: number, node: number, path: readonly number[] | undefined): void;
  /** What is left out below a node is to be drawn. */
  onReveal?(path: readonly number[]): void;
}

export interface FlameController extends Jumps {
  readonly scene: ReadonlySignal<Scene | undefined>;
  /** What of it is not drawn; undefined where all is. */
  readonly hidden: ReadonlySignal<Hidden | undefined>;
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
  walk(way: FlameWalk): void;
  /** The names of the frames from below the whole program down to a box. */
  stackOf(box: number): Promise<readonly string[]>;
}

export function createFlameController(options: FlameOptions): FlameController {
  const { engine, input, selection } = options;
  const viewport = signal<Viewport>({ ...WHOLE, top: 0 });
  const size = signal<Size>({ width: 0, height: 0 });
  const hovered = signal<number | undefined>(undefined);
  const motion = createMotion(viewport, between);
  const isPruned = computed(() => input.value.pruned !== undefined);
  const loading = createSceneLoading({ engine, viewport, size, motion, hovered, isPruned });
  const { error, busy } = loading;
  const { scene, hidden } = createPruning(loading.scene, input, selection);
  const selected = computed(() => {
    const current = scene.value;
    if (current === undefined) return undefined;
    // `nodeIn` reads the selection's signals, which makes this follow it.
    const node = selection.nodeIn(current.subject.spec, current.result.instance);
    return node === undefined ? undefined : current.indexOfNode.get(node);
  });

  /** The range of the address, as it was last written or read. */
  let published: Range = WHOLE;
  const publishing = afterRest(publish);

  /** Writes where the picture is, or where a motion under way will end. */
  function publish(): void {
    publishing.cancel();
    if (busy.peek()) return;
    const { from, to, top } = motion.goal();
    published = { from, to };
    const zoom = { ...input.peek().zoom, range: published, top: Math.round(top) };
    options.setZoom(zoom, 'replace');
  }

  function clamp(view: Viewport): Viewport {
    return clampViewport(view, scene.peek(), size.peek());
  }

  function go(to: Viewport, smooth: boolean, rows = 0): void {
    const view = clampViewport(to, scene.peek(), size.peek(), rows);
    void motion.moveTo(view, smooth ? STEP_MS : 0);
    publishing.begin();
  }

  function zoomToPath(path: readonly number[]): void {
    const zoom = zoomInto(input.peek().zoom, path);
    if (zoom === undefined) go({ ...WHOLE, top: 0 }, true);
    else options.setZoom(zoom, 'push');
  }

  /** The frames from below the whole program down to a node. */
  async function framesTo(current: Scene, node: number) {
    const view = current.subject.spec;
    const { instance } = current.result;
    const { result } = await engine.call('details', { view, instance, node });
    return result.path;
  }

  async function zoomToNode(current: Scene, node: number): Promise<void> {
    const path = await framesTo(current, node);
    zoomToPath(path.map(({ key }) => key));
  }

  /** Selects a box and brings it into sight; false where there is none. */
  function selectInSight(find: (current: Scene) => number | undefined): void {
    const current = scene.peek();
    const box = current && find(current);
    if (current === undefined || box === undefined) return;
    controller.select(box);
    bringIntoSight(placeOfBox(current, box));
  }

  function bringIntoSight(place: BoxPlace): void {
    const view = viewportWith(place, motion.goal(), size.peek());
    if (view === undefined) return;
    go(view, true, place.row + 2);
    // At once: another view may be gone to before the picture comes to rest.
    publish();
  }

  const jumps = createJumps(options, scene, bringIntoSight);

  const controller: FlameController = {
    scene,
    hidden,
    viewport,
    size,
    error,
    busy,
    hovered,
    selected,
    hit(x, y) {
      const current = scene.peek();
      const { inverted } = input.peek();
      return current && boxUnder(current, viewport.peek(), size.peek(), inverted, { x, y });
    },
    async stackOf(box) {
      const current = scene.peek();
      if (current === undefined) return [];
      const path = await framesTo(current, current.boxes.node[box]!);
      return path.map(({ name }) => name);
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
      if (isRest(current, box)) {
        const parent = parentOf(current, box);
        const path = parent === undefined ? undefined : keysOf(current, parent);
        if (path !== undefined) options.onReveal?.(path);
        return;
      }
      if (isMerged(current, box)) {
        go(closerViewport(current, box, motion.goal().top), true);
        return;
      }
      const keys = keysOf(current, box);
      if (keys !== undefined) {
        zoomToPath(keys);
        return;
      }
      zoomToNode(current, current.boxes.node[box]!).catch((reason: unknown) => {
        error.value = asEngineError(reason);
      });
    },
    zoomToSelected() {
      if (selected.peek() !== undefined) controller.zoomToBox(selected.peek()!);
    },
    zoomBy(factor, anchor, smooth) {
      const view = motion.goal();
      go({ ...zoomRange(view, factor, anchor), top: view.top }, smooth);
    },
    panBy(share, smooth) {
      const view = motion.goal();
      go({ ...panRange(view, share), top: view.top }, smooth);
    },
    scrollBy(pixels, smooth) {
      const view = motion.goal();
      go({ ...view, top: view.top + pixels }, smooth);
    },
    show(range, top) {
      go({ ...range, top }, false);
    },
    zoomOut() {
      const view = motion.goal();
      // While another root is on its way, the range is that of the old one.
      if (!busy.peek() && !isWhole(view)) {
        go({ ...WHOLE, top: view.top }, true);
        return true;
      }
      const zoom = zoomOutOf(input.peek().zoom);
      if (zoom !== undefined) options.setZoom(zoom, 'push');
      return zoom !== undefined;
    },
    zoomToPath,
    matches: jumps.matches,
    jumpToMatch: jumps.jumpToMatch,
    jumpToFunction: jumps.jumpToFunction,
    walk(way) {
      selectInSight((current) => boxBeside(current, selected.peek(), way));
    },
    dispose() {
      motion.stop();
      loading.dispose();
      jumps.dispose();
      publishing.cancel();
      for (const stop of disposers) stop();
    },
  };

  const disposers = [
    effect(() => {
      const { spec, zoom, search, labels } = input.value;
      if (size.value.width === 0) return;
      const next: SceneSubject = { spec, path: zoom.path, search, labels };
      const subject = loading.subject();
      const same =
        subject !== undefined &&
        sameRoot(subject, next) &&
        subject.search === next.search &&
        subject.labels === next.labels;
      if (!same) {
        published = zoom.range;
        void loading.change(next, { ...zoom.range, top: zoom.top ?? 0 });
      } else if (zoom.range.from !== published.from || zoom.range.to !== published.to) {
        published = zoom.range;
        void motion.moveTo(clamp({ ...zoom.range, top: viewport.peek().top }), ZOOM_MS);
      }
    }),
    effect(() => {
      viewport.value;
      size.value;
      loading.scene.value;
      isPruned.value;
      loading.refine();
    }),
    // Another picture has none of the boxes of the one before.
    effect(() => {
      scene.value;
      hovered.value = undefined;
    }),
  ];
  return controller;
}
