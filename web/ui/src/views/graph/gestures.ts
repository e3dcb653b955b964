import type { Signal } from '@preact/signals';
import type { Point } from './camera.ts';
import type { GraphController } from './controller.ts';
import { isOpen } from '../../state/graph-drawing.ts';

/** A press that moves less is a click. */
const CLICK_SLACK = 4;
/** One notch of a mouse wheel, in pixels; trackpads send less and need no smoothing. */
const WHEEL_NOTCH = 40;

/** Turns wheel, mouse and touch into motions of a graph. */
export function followGraphPointer(
  host: HTMLElement,
  controller: GraphController,
  pointer: Signal<Point>,
  does: {
    /** Something was clicked, and is selected already. */
    clicked(): void;
    openMenu(x: number, y: number): void;
  },
): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const pressed = new Map<number, Point>();
  let travelled = 0;

  const local = (event: MouseEvent): Point => {
    const place = host.getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
  };

  host.addEventListener(
    'wheel',
    (event) => {
      if (isOverlay(event)) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
      const smooth = Math.abs(dx) + Math.abs(dy) >= WHEEL_NOTCH;
      controller.hovered.value = undefined;
      if (event.ctrlKey || event.metaKey) {
        // A pinch on a trackpad comes as small deltas with Ctrl held.
        const speed = Math.abs(dy) < WHEEL_NOTCH ? 0.01 : 0.0028;
        controller.zoomBy(Math.exp(-dy * speed), local(event), smooth);
      } else if (event.shiftKey && dx === 0) controller.panBy(dy, 0, smooth);
      else controller.panBy(dx, dy, smooth);
    },
    { ...options, passive: false },
  );

  host.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button > 1 || isOverlay(event)) return;
      host.focus({ preventScroll: true });
      host.setPointerCapture(event.pointerId);
      pressed.set(event.pointerId, local(event));
      travelled = 0;
    },
    options,
  );

  host.addEventListener(
    'pointermove',
    (event) => {
      const now = local(event);
      pointer.value = { x: event.clientX, y: event.clientY };
      const before = pressed.get(event.pointerId);
      if (before === undefined) {
        controller.hovered.value = isOverlay(event) ? undefined : controller.hit(now);
        return;
      }
      travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (travelled < CLICK_SLACK) return;
      host.classList.add('panning');
      controller.hovered.value = undefined;
      const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const spread = (a: Point) => Math.max(20, Math.hypot(a.x - other.x, a.y - other.y));
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        controller.zoomBy(spread(now) / spread(before), middle, false);
      } else controller.panBy(before.x - now.x, before.y - now.y, false);
      pressed.set(event.pointerId, now);
    },
    options,
  );

  const release = (event: PointerEvent) => {
    const was = pressed.delete(event.pointerId);
    host.classList.remove('panning');
    if (!was || event.type === 'pointercancel' || travelled >= CLICK_SLACK) return;
    const at = local(event);
    const chevron = controller.chevronAt(at);
    if (chevron !== undefined) {
      controller.toggle(chevron);
      return;
    }
    controller.select(controller.hit(at));
    does.clicked();
  };
  host.addEventListener('pointerup', release, options);
  host.addEventListener('pointercancel', release, options);
  host.addEventListener(
    'pointerleave',
    () => {
      controller.hovered.value = undefined;
    },
    options,
  );

  host.addEventListener(
    'dblclick',
    (event) => {
      if (isOverlay(event)) return;
      const at = local(event);
      const target = controller.hit(at);
      const drawing = controller.scene.peek()?.drawing;
      if (drawing === undefined || target === undefined || controller.chevronAt(at) !== undefined)
        return;
      const isGround = target.kind === 'box' && isOpen(drawing, target.box);
      if (target.kind === 'edge' || isGround) controller.fitTo(target);
      else controller.toggle(target.box);
    },
    options,
  );

  host.addEventListener(
    'contextmenu',
    (event) => {
      if (isOverlay(event)) return;
      event.preventDefault();
      const target = controller.hit(local(event));
      if (target === undefined) return;
      controller.select(target);
      controller.hovered.value = undefined;
      does.openMenu(event.clientX, event.clientY);
    },
    options,
  );
  return () => stop.abort();
}

/** Whether an event is for something that lies on the graph. */
function isOverlay(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('.menu, .over-graph') !== null;
}
