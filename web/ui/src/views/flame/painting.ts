import { computed, type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import {
  hatchPattern,
  Labels,
  type Picture,
  paintFlame,
  strokesPattern,
} from '../../canvas/paint.ts';
import { planPaint } from '../../canvas/paint-plan.ts';
import { paletteOf } from '../../canvas/palette.ts';
import { isMerged, type Scene } from '../../canvas/scene.ts';
import { fitCanvas } from '../../canvas/surface.ts';
import type { Viewport } from '../../canvas/viewport.ts';
import { useApp } from '../../state/services.ts';
import type { ViewState } from '../../state/view-state.ts';
import type { FlameController, FlameInput } from './controller.ts';

/** The last picture of a motion is drawn once more, finely, when nothing has moved for so long. */
const SETTLED_MS = 120;

/** Draws at the next animation frame after anything that the picture depends on has changed. */
export function usePainting(
  controller: FlameController,
  canvas: { readonly current: HTMLCanvasElement | null },
  input: ReadonlySignal<FlameInput>,
): void {
  const app = useApp();
  const memo = useMemo(() => {
    const palette = computed(() => {
      return paletteOf(app.theme.shown.value, document.documentElement);
    });
    const context = computed(() => {
      controller.size.value;
      return canvas.current?.getContext('2d') ?? undefined;
    });
    const labels = computed(() => context.value && new Labels(context.value));
    const hatch = computed(() =>
      context.value === undefined ? '' : hatchPattern(context.value, palette.value),
    );
    const strokes = computed(() =>
      context.value === undefined ? '' : strokesPattern(context.value, palette.value),
    );
    const plan = computed(() => {
      const scene = controller.scene.value;
      if (scene === undefined) return undefined;
      return { scene, plan: planPaint(scene, input.value.colour) };
    });
    return { palette, context, labels, hatch, strokes, plan };
  }, []);
  const frame = useRef(0);
  const settle = useRef(0);
  const lastViewport = useRef<Viewport | undefined>(undefined);
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current);
      clearTimeout(settle.current);
    },
    [],
  );
  useSignalEffect(() => {
    const context = memo.context.value;
    const planned = memo.plan.value;
    const labels = memo.labels.value;
    const size = controller.size.value;
    if (context === undefined || planned === undefined || labels === undefined) return;
    const picture: Omit<Picture, 'scale' | 'moving'> = {
      scene: planned.scene,
      plan: planned.plan,
      palette: memo.palette.value,
      hatch: memo.hatch.value,
      strokes: memo.strokes.value,
      viewport: controller.viewport.value,
      size,
      inverted: input.value.inverted,
      selected: controller.selected.value,
      hovered: controller.hovered.value,
      lit: litKeys(planned.scene, controller.selected.value, app.view.value),
      labels,
    };
    const paint = (moving: boolean) => {
      const scale = devicePixelRatio;
      fitCanvas(context.canvas, size, scale);
      paintFlame(context, { ...picture, scale, moving });
    };
    const moving = lastViewport.current !== undefined && lastViewport.current !== picture.viewport;
    lastViewport.current = picture.viewport;
    cancelAnimationFrame(frame.current);
    clearTimeout(settle.current);
    frame.current = requestAnimationFrame(() => paint(moving));
    if (moving) settle.current = window.setTimeout(() => paint(false), SETTLED_MS);
  });
}

/** The functions whose frames are lit: that of the selected frame, else the chosen ones. */
function litKeys(
  scene: Scene,
  selected: number | undefined,
  { fn, fns }: Pick<ViewState, 'fn' | 'fns'>,
): ReadonlySet<number> {
  // In the flat shape keys of modules, files and functions are each counted from 0.
  if (scene.subject.spec.shape.kind === 'flat') return new Set();
  const chosen = new Set(fn === undefined ? fns : [...fns, fn]);
  if (selected === undefined || isMerged(scene, selected)) return chosen;
  return scene.boxes.row[selected] === 0 ? chosen : new Set([scene.boxes.key[selected]!]);
}
