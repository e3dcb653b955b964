import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { fitCanvas, veilAround } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import { MapToggle, useMapOpen } from '../../widgets/MapToggle.tsx';
import { viewOf } from './camera.ts';
import type { GraphController } from './controller.ts';
import { visibleOf, rectAt } from './detail.ts';
import { rectsOf } from './fold-motion.ts';
import { readGraphPalette } from './palette.ts';
import { heatOf, rampSteps } from './ramp.ts';

/** The largest a minimap gets, in CSS pixels. */
const WIDEST = 180;
const TALLEST = 220;
const NARROWEST = 30;
/** Boxes are drawn at least so large. */
const LEAST = 1;

/** The whole drawing in small with a frame around what is in sight; drag it to go elsewhere. */
export function GraphMinimap(props: { readonly controller: GraphController }) {
  const app = useApp();
  const { controller } = props;
  const open = useMapOpen();
  // The canvas comes and goes, and is to be drawn when it comes.
  const canvas = useSignal<HTMLCanvasElement | null>(null);
  const shape = useComputed(() => {
    const result = controller.scene.value?.drawing.result;
    if (result === undefined) return undefined;
    const scale = Math.min(WIDEST / result.width, TALLEST / result.height);
    // Very long drawings are stretched so that there is something to take hold of.
    const width = Math.max(NARROWEST, result.width * scale);
    const height = Math.max(NARROWEST, result.height * scale);
    return { width, height, across: width / result.width, down: height / result.height };
  });
  const needed = useComputed(() => {
    const result = controller.scene.value?.drawing.result;
    const { width, height } = controller.size.value;
    if (result === undefined || width < 420) return false;
    const { zoom } = controller.camera.value;
    return result.width * zoom > width * 1.02 || result.height * zoom > height * 1.02;
  });
  // The drawing itself changes rarely, the frame at every motion.
  const ground = useMemo(() => document.createElement('canvas'), []);
  const painted = useComputed(() => {
    const scene = controller.scene.value;
    const place = shape.value;
    app.theme.shown.value;
    const context = ground.getContext('2d');
    if (scene === undefined || place === undefined || context === null) return 0;
    const { drawing, overlay } = scene;
    const density = devicePixelRatio;
    ground.width = Math.round(place.width * density);
    ground.height = Math.round(place.height * density);
    context.setTransform(place.across * density, 0, 0, place.down * density, 0, 0);
    const palette = readGraphPalette(document.documentElement);
    const ramp = rampSteps(overlay?.result.ramp ?? []);
    const rects = rectsOf(drawing);
    const { width, height } = drawing.result;
    const zoom = Math.max(place.across, place.down);
    const all = { width: width * zoom, height: height * zoom };
    const camera = { x: width / 2, y: height / 2, zoom };
    const { frames, leaves } = visibleOf(drawing, rects, camera, all);
    const [wide, tall] = [LEAST / place.across, LEAST / place.down];
    for (const box of frames) {
      if (box === 0) continue;
      const rect = rectAt(rects, box);
      context.fillStyle = palette.frame;
      context.fillRect(rect.x, rect.y, rect.width, rect.height);
    }
    for (const box of leaves) {
      const rect = rectAt(rects, box);
      context.fillStyle = heatOf(overlay, ramp, box) ?? palette.far;
      context.fillRect(rect.x, rect.y, Math.max(wide, rect.width), Math.max(tall, rect.height));
    }
    return performance.now();
  });

  useSignalEffect(() => {
    const place = shape.value;
    const scene = controller.scene.value;
    painted.value;
    needed.value;
    const view = viewOf(controller.camera.value, controller.size.value);
    app.theme.shown.value;
    const context = canvas.value?.getContext('2d');
    if (context === null || context === undefined || place === undefined || scene === undefined) {
      return;
    }
    const density = devicePixelRatio;
    const { width, height } = place;
    fitCanvas(context.canvas, place, density);
    const palette = readGraphPalette(document.documentElement);
    context.setTransform(density, 0, 0, density, 0, 0);
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, width, height);
    context.drawImage(ground, 0, 0, width, height);
    const left = Math.max(0.75, view.x * place.across);
    const top = Math.max(0.75, view.y * place.down);
    const right = Math.min(width - 0.75, (view.x + view.width) * place.across);
    const bottom = Math.min(height - 0.75, (view.y + view.height) * place.down);
    const clear = { x: left, y: top, width: right - left, height: bottom - top };
    veilAround(context, place, clear, { colour: palette.panel, alpha: 0.6 });
    context.lineWidth = 1.5;
    context.strokeStyle = palette.accent;
    context.strokeRect(left, top, Math.max(3, right - left), Math.max(3, bottom - top));
  });

  const place = shape.value;
  if (!needed.value || place === undefined) return null;
  if (!open) return <MapToggle />;
  const go = (event: PointerEvent) => {
    const box = canvas.value?.getBoundingClientRect();
    if (box === undefined || event.buttons === 0) return;
    controller.centreOn({
      x: (event.clientX - box.left) / place.across,
      y: (event.clientY - box.top) / place.down,
    });
  };
  return (
    <div class="minimap">
      <canvas
        aria-hidden="true"
        ref={(element) => {
          canvas.value = element;
        }}
        style={{ width: `${place.width}px`, height: `${place.height}px` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={go}
      />
      <MapToggle />
    </div>
  );
}
