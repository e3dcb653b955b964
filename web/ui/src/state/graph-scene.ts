import type {
  Answer,
  Engine,
  EngineError,
  GraphShow,
  GraphSummaryResult,
  GraphView,
} from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { createDrawing, type Drawing } from './graph-drawing.ts';
import { asEngineError, resource, steadyResource } from './resource.ts';

/** A drawing and what is laid over it. */
export interface GraphScene {
  readonly drawing: Drawing;
  /** Undefined where the engine could not tell. */
  readonly overlay: Answer<'graph_overlay'> | undefined;
  readonly show: GraphShow;
}

/** The drawing of a graph with its overlay; one without the other is not shown. */
export function createGraphScene(options: {
  readonly engine: Engine;
  readonly spec: ReadonlySignal<GraphView | undefined>;
  readonly show: ReadonlySignal<GraphShow | undefined>;
  /** Undefined where no graph is shown. */
  readonly summary: ReadonlySignal<GraphSummaryResult | undefined>;
}) {
  const { engine, spec, show, summary } = options;
  const overlayError = signal<EngineError | undefined>(undefined);
  const scene = signal<GraphScene | undefined>(undefined);
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
    summary.value;
    return drawn === undefined || wanted === undefined
      ? undefined
      : { drawing: drawn, show: wanted };
  });
  const { state: overlay } = steadyResource(laid, async (wanted): Promise<GraphScene> => {
    const over = await engine
      .call('graph_overlay', { view: wanted.drawing.view, show: wanted.show })
      .catch((error: unknown) => {
        overlayError.value = asEngineError(error);
        return undefined;
      });
    if (over !== undefined) overlayError.value = undefined;
    return { ...wanted, overlay: over };
  });
  effect(() => {
    const loaded = overlay.value.value;
    if (loaded !== undefined) scene.value = loaded;
    else if (summary.value === undefined) scene.value = undefined;
  });
  return {
    /** The last drawing whose overlay is known as well. */
    scene: scene as ReadonlySignal<GraphScene | undefined>,
    /** The newest drawing. */
    drawing: computed(() => drawing.value.value),
    error: computed(() => drawing.value.error ?? overlayError.value),
    /** Whether another drawing is on its way. */
    busy: computed(() => drawing.value.pending),
  };
}
