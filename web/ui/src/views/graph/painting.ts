import { computed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fitCanvas } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import { readFonts } from './brush.ts';
import type { GraphController } from './controller.ts';
import { paintGraph } from './paint.ts';
import { readGraphPalette } from './palette.ts';

/** Draws at the next animation frame after anything that the picture depends on has changed. */
export function usePainting(
  controller: GraphController,
  canvas: { readonly current: HTMLCanvasElement | null },
): void {
  const app = useApp();
  const memo = useMemo(() => {
    const palette = computed(() => {
      app.theme.shown.value;
      return readGraphPalette(document.documentElement);
    });
    const context = computed(() => {
      controller.size.value;
      return canvas.current?.getContext('2d', { alpha: false }) ?? undefined;
    });
    const fonts = computed(
      () => context.value && readFonts(context.value, document.documentElement),
    );
    const matches = computed(() => {
      const found = app.graph.search.value.value?.result.matches ?? [];
      return new Set(found.map(({ element }) => element));
    });
    const summed = computed(() => new Set(app.graph.summed.value));
    return { palette, context, fonts, matches, summed };
  }, []);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useSignalEffect(() => {
    const context = memo.context.value;
    const fonts = memo.fonts.value;
    const scene = controller.scene.value;
    const size = controller.size.value;
    const { rects, settled } = controller.rects.value;
    const palette = memo.palette.value;
    const camera = controller.camera.value;
    const selected = controller.selected.value;
    const hovered = controller.hovered.value;
    const matches = memo.matches.value;
    const summed = memo.summed.value;
    if (context === undefined || fonts === undefined || size.width === 0) return;
    // The boxes of a new drawing are placed in the same turn.
    if (scene === undefined || rects.length !== scene.drawing.count * 4) return;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const scale = devicePixelRatio;
      fitCanvas(context.canvas, size, scale);
      paintGraph(context, {
        scene,
        rects,
        settled,
        camera,
        size,
        scale,
        palette,
        fonts,
        selected,
        hovered,
        matches,
        summed,
      });
    });
  });
}
