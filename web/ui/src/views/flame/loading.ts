import type { Engine, EngineError } from '@hotframe/engine';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Motion } from '../../canvas/motion.ts';
import type { Size } from '../../canvas/rect.ts';
import type { Scene, SceneSubject, SceneWindow } from '../../canvas/scene.ts';
import type { Viewport } from '../../canvas/viewport.ts';
import { asEngineError, isStopped } from '../../state/resource.ts';
import { keepStopped } from '../../state/stopped.ts';
import { boxAhead, boxBehind, boxViewport, clampViewport } from './moves.ts';
import { loadScene, rootPlace, sameRoot } from './source.ts';
import { allRowsFor, hasAllRows, serves as servesView, windowFor } from './window.ts';

/** Long enough to see where things go, short enough not to wait for. */
export const ZOOM_MS = 150;
/** At most so many requests a second while moving. */
const REQUEST_GAP_MS = 50;

/** Gets the boxes of what is looked at. */
export interface SceneLoading {
  readonly scene: ReadonlySignal<Scene | undefined>;
  readonly error: Signal<EngineError | undefined>;
  /** Whether another tree or root is on its way. */
  readonly busy: ReadonlySignal<boolean>;
  /** What is shown or on its way. */
  subject(): SceneSubject | undefined;
  /** Goes over to another tree, root or search, with a motion where the old picture leads there. */
  change(next: SceneSubject, to: Viewport): Promise<void>;
  /** Asks for finer or further boxes if what is there does not serve the view any more. */
  refine(): void;
  dispose(): void;
}

export function createSceneLoading(options: {
  readonly engine: Engine;
  readonly viewport: Signal<Viewport>;
  readonly size: ReadonlySignal<Size>;
  readonly motion: Motion<Viewport>;
  /** A box of the scene: another scene has none of its boxes. */
  readonly hovered: Signal<number | undefined>;
  /** Whether something is left out, which takes all rows to tell. */
  readonly isPruned: ReadonlySignal<boolean>;
}): SceneLoading {
  const { engine, viewport, size, motion, hovered } = options;
  const wantedFor = (view: Viewport) =>
    options.isPruned.peek() ? allRowsFor(view, size.peek()) : windowFor(view, size.peek());
  const scene = signal<Scene | undefined>(undefined);
  const error = signal<EngineError | undefined>(undefined);
  const busy = signal(false);
  let subject: SceneSubject | undefined;
  /** While the subject changes nothing else is asked for. */
  let changing: AbortController | undefined;
  let refining: { readonly abort: AbortController; readonly window: SceneWindow } | undefined;
  let lastRequest = 0;
  /** Forgets what was stopped. */
  let forget = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  function fail(reason: unknown, again: () => void): void {
    error.value = asEngineError(reason);
    if (isStopped(reason)) forget = keepStopped(again);
  }

  function take(loaded: Scene): void {
    forget();
    hovered.value = undefined;
    scene.value = loaded;
    error.value = undefined;
  }

  function refine(): void {
    const current = scene.peek();
    const view = viewport.peek();
    const room = size.peek();
    if (changing !== undefined || subject === undefined || current === undefined) return;
    if (room.width === 0) return;
    const { total_rows: rows } = current.result;
    const serves = (have: SceneWindow) =>
      servesView(have, rows, view, room) && (!options.isPruned.peek() || hasAllRows(have));
    if (serves(current.window)) return;
    if (refining !== undefined) {
      if (serves(refining.window)) return;
      refining.abort.abort();
      refining = undefined;
    }
    const wait = lastRequest + REQUEST_GAP_MS - performance.now();
    clearTimeout(timer);
    if (wait > 0) {
      timer = setTimeout(refine, wait);
      return;
    }
    lastRequest = performance.now();
    const abort = new AbortController();
    const wanted = wantedFor(view);
    refining = { abort, window: wanted };
    loadScene(engine, subject, wanted, rootPlace(current), abort.signal).then(
      (loaded) => {
        if (abort.signal.aborted) return;
        refining = undefined;
        batch(() => take(loaded));
        refine();
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        refining = undefined;
        fail(reason, refine);
      },
    );
  }

  async function change(next: SceneSubject, to: Viewport): Promise<void> {
    const old = scene.peek();
    forget();
    changing?.abort();
    refining?.abort.abort();
    refining = undefined;
    const abort = new AbortController();
    changing = abort;
    busy.value = true;
    subject = next;
    const stays = old !== undefined && sameRoot(old.subject, next);
    const target: Viewport = stays ? motion.goal() : to;
    try {
      let arrived = Promise.resolve();
      const into = old && boxAhead(old, next);
      if (old !== undefined && into !== undefined) {
        arrived = motion.moveTo(boxViewport(old, into, to), ZOOM_MS);
      }
      const known = stays ? rootPlace(old) : undefined;
      const loaded = await loadScene(engine, next, wantedFor(target), known, abort.signal);
      await arrived;
      if (abort.signal.aborted) return;
      const outOf = old && boxBehind(old, loaded);
      if (!stays) motion.stop();
      batch(() => {
        take(loaded);
        if (outOf !== undefined) viewport.value = boxViewport(loaded, outOf, viewport.peek());
        else if (!stays) viewport.value = clampViewport(target, loaded, size.peek());
      });
      changing = undefined;
      busy.value = false;
      if (outOf !== undefined) await motion.moveTo(target, ZOOM_MS);
      refine();
    } catch (reason) {
      if (abort.signal.aborted) return;
      changing = undefined;
      busy.value = false;
      fail(reason, () => void change(next, to));
    }
  }

  return {
    scene,
    error,
    busy,
    subject: () => subject,
    change,
    refine,
    dispose() {
      forget();
      changing?.abort();
      refining?.abort.abort();
      clearTimeout(timer);
    },
  };
}
