import type { ColourBy } from '@hotframe/engine';
import { computed, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { contentHeight, ROW_HEIGHT } from '../../canvas/paint.ts';
import { planPaint } from '../../canvas/paint-plan.ts';
import { paletteOf } from '../../canvas/palette.ts';
import type { Scene } from '../../canvas/scene.ts';
import { fitCanvas, veilAround } from '../../canvas/surface.ts';
import { clampRange, type Range, WHOLE } from '../../canvas/viewport.ts';
import { wheelOf } from '../../canvas/wheel.ts';
import { PROGRAM, specKey } from '../../state/nodes.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { MapToggle, useMapOpen } from '../../widgets/MapToggle.tsx';
import type { FlameController } from './controller.ts';
import { loadScene, rootPlace } from './source.ts';

const WIDTH = 200;
const TALLEST = 110;
const SHORTEST = 28;
/** Rows of the overview; deeper ones would be thinner than a twentieth of a pixel. */
const MOST_ROWS = 2000;
/** Of a picture that has one. */
const LEAST_WIDTH = 420;
const LEAST_HEIGHT = 180;
/** Boxes are asked for at twice the width, so that the root of a zoom is more often found. */
const DETAIL = 2;

/** The whole graph in small with a frame around what is in view; drag to go elsewhere. */
export function Minimap(props: {
  readonly controller: FlameController;
  readonly colour: ColourBy;
}) {
  const app = useApp();
  const { controller } = props;
  const open = useMapOpen();

  const needed = useComputed(() => {
    const scene = controller.scene.value;
    const { from, to } = controller.viewport.value;
    const { width, height } = controller.size.value;
    // In a small picture it would hide more than it tells.
    if (scene === undefined || width < LEAST_WIDTH || height < LEAST_HEIGHT) return false;
    const deep = contentHeight(scene) > height * 1.2;
    return deep || scene.root !== 0 || to - from < 0.999;
  });
  const overview = useMemo(() => {
    const tree = computed(() => {
      const scene = controller.scene.value;
      return needed.value && scene !== undefined
        ? `${scene.subject.search}\n${specKey(scene.subject.spec)}`
        : undefined;
    });
    return resource(tree, (_, signal) => {
      const { spec, search } = controller.scene.peek()!.subject;
      const window = { ...WHOLE, width: WIDTH * DETAIL, firstRow: 0, rows: MOST_ROWS };
      return loadScene(
        app.engine,
        { spec, path: [], search, labels: 'function' as const },
        window,
        PROGRAM,
        signal,
      );
    });
  }, []);
  useEffect(() => () => overview.dispose(), []);

  const whole = overview.state.value.value;
  if (!needed.value || whole === undefined) return null;
  if (!open) return <MapToggle />;
  return <Overview whole={whole} controller={controller} colour={props.colour} />;
}

function Overview(props: {
  readonly whole: Scene;
  readonly controller: FlameController;
  readonly colour: ColourBy;
}) {
  const app = useApp();
  const { whole, controller, colour } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const rows = Math.max(1, whole.result.total_rows);
  const height = Math.min(TALLEST, Math.max(SHORTEST, rows * 4));
  const rowHeight = Math.min(6, height / rows);
  const shown = useSignal({ whole, colour });
  if (shown.peek().whole !== whole || shown.peek().colour !== colour) {
    shown.value = { whole, colour };
  }

  useSignalEffect(() => {
    const scene = shown.value.whole;
    const context = canvas.current?.getContext('2d');
    const current = controller.scene.value;
    const view = controller.viewport.value;
    const { height: viewHeight } = controller.size.value;
    if (context === null || context === undefined || current === undefined) return;
    const palette = paletteOf(app.theme.shown.value, document.documentElement);
    const scale = devicePixelRatio;
    fitCanvas(context.canvas, { width: WIDTH, height }, scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = palette.background;
    context.fillRect(0, 0, WIDTH, height);
    const plan = planPaint(scene, shown.value.colour);
    for (const box of plan.order) {
      context.fillStyle = palette.fills[plan.classes[box]!] ?? palette.merged;
      const { x, width, row } = scene.boxes;
      const drawn = Math.max(0.5, width[box]! * WIDTH - 0.3);
      context.fillRect(
        x[box]! * WIDTH,
        row[box]! * rowHeight,
        drawn,
        Math.max(0.5, rowHeight - 0.3),
      );
    }
    const root = rootIn(scene, current);
    const left = (root.x + view.from * root.width) * WIDTH;
    const wide = Math.max(3, (view.to - view.from) * root.width * WIDTH);
    const top = (root.row + view.top / ROW_HEIGHT) * rowHeight;
    const tall = Math.max(4, Math.min(viewHeight / ROW_HEIGHT, rows) * rowHeight);
    const clear = { x: left, y: top, width: wide, height: tall };
    const veil = { colour: palette.background, alpha: 0.55 };
    veilAround(context, { width: WIDTH, height }, clear, veil);
    context.lineWidth = 1.5;
    context.strokeStyle = palette.accent;
    const x = Math.max(0.75, left);
    const y = Math.max(0.75, top);
    context.strokeRect(x, y, Math.min(wide, WIDTH - 0.75 - x), Math.min(tall, height - 0.75 - y));
  });

  const goTo = (event: PointerEvent) => {
    const current = controller.scene.peek();
    const place = canvas.current?.getBoundingClientRect();
    if (current === undefined || place === undefined) return;
    const at = (event.clientX - place.left) / WIDTH;
    const row = (event.clientY - place.top) / rowHeight;
    const root = rootIn(whole, current);
    const view = controller.viewport.peek();
    const span = view.to - view.from;
    const top = (row - root.row) * ROW_HEIGHT - controller.size.peek().height / 2;
    if (at < root.x || at > root.x + root.width) {
      // Outside of the frame that fills the width: go on in the whole program.
      if (event.type === 'pointerdown') controller.zoomToPath([]);
      return;
    }
    controller.show(centred((at - root.x) / root.width, span), top);
  };
  return (
    <div
      class="minimap"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) goTo(event);
      }}
      onWheel={(event) => controller.scrollBy(wheelOf(event).dy, false)}
    >
      <canvas
        ref={canvas}
        aria-hidden="true"
        style={{ width: `${WIDTH}px`, height: `${height}px` }}
      />
      <MapToggle />
    </div>
  );
}

function centred(at: number, span: number): Range {
  return clampRange({ from: at - span / 2, to: at + span / 2 });
}

/**
 * Where the root of a zoomed scene lies in the overview. A root too narrow to have a box there is
 * taken to lie at its nearest ancestor that has one.
 */
function rootIn(
  overview: Scene,
  scene: Scene,
): { readonly x: number; readonly width: number; readonly row: number } {
  const path = [{ node: 0 }, ...rootPlace(scene).nodes];
  for (let depth = path.length - 1; depth > 0; depth--) {
    const box = overview.indexOfNode.get(path[depth]!.node);
    if (box === undefined || overview.result.instance !== scene.result.instance) continue;
    const { x, width, row } = overview.boxes;
    return { x: x[box]!, width: width[box]!, row: row[box]! + path.length - 1 - depth };
  }
  return { x: 0, width: 1, row: path.length - 1 };
}
