import type { Signal } from '@preact/signals';
import { contentHeight, graphWidth, PADDING } from '../../canvas/paint.ts';
import type { FlameController } from './controller.ts';

/** A press that moves less is a click. */
const CLICK_SLACK = 4;
/** One notch of a mouse wheel, in pixels; trackpads send less and need no smoothing. */
const WHEEL_NOTCH = 40;
/** After reaching the full width, the wheel must rest so long before it leaves the zoomed frame. */
const REST_MS = 300;

/** Turns wheel, mouse and touch into motions of a flame graph. */
export function followPointer(
  host: HTMLElement,
  controller: FlameController,
  pointer: Signal<{ readonly x: number; readonly y: number }>,
  does: {
    /** A box was clicked, which has its effect on the graph already. */
    clicked(): void;
    openMenu(box: number, x: number, y: number): void;
  },
): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const pressed = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  let lastWheel = 0;

  const local = (event: MouseEvent) => {
    const place = host.getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
  };
  const anchorOf = (x: number) => (x - PADDING) / graphWidth(controller.size.peek());

  host.addEventListener(
    'wheel',
    (event) => {
      if (event.target instanceof Element && event.target.closest('.menu')) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      const dx = event.deltaX * lines;
      const dy = event.deltaY * lines;
      const scene = controller.scene.peek();
      const { width, height } = controller.size.peek();
      const smooth = Math.abs(dx) + Math.abs(dy) >= WHEEL_NOTCH;
      const rested = event.timeStamp - lastWheel > REST_MS;
      lastWheel = event.timeStamp;
      controller.hovered.value = undefined;
      if (!event.ctrlKey && !event.metaKey && (event.shiftKey || Math.abs(dx) > Math.abs(dy))) {
        controller.panBy((event.shiftKey && dx === 0 ? dy : dx) / width, smooth);
        return;
      }
      const scrolls = scene !== undefined && contentHeight(scene) > height + 1;
      if (scrolls && !event.ctrlKey && !event.metaKey) {
        controller.scrollBy(dy, smooth);
        return;
      }
      const { from, to } = controller.viewport.peek();
      if (dy > 0 && to - from >= 1) {
        // Wheeling out at the full width goes out of the frame that fills it.
        if (rested) controller.zoomOut();
        return;
      }
      // A pinch on a trackpad comes as small deltas with Ctrl held.
      const speed = event.ctrlKey && Math.abs(dy) < WHEEL_NOTCH ? 0.01 : 0.0022;
      controller.zoomBy(Math.exp(dy * speed), anchorOf(local(event).x), smooth);
    },
    { ...options, passive: false },
  );

  host.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || isOverlay(event)) return;
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
        controller.hovered.value = isOverlay(event) ? undefined : controller.hit(now.x, now.y);
        return;
      }
      const { width } = controller.size.peek();
      travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (travelled < CLICK_SLACK) return;
      host.classList.add('panning');
      controller.hovered.value = undefined;
      const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const factor =
          Math.max(20, Math.abs(before.x - other.x)) / Math.max(20, Math.abs(now.x - other.x));
        controller.zoomBy(factor, anchorOf((now.x + other.x) / 2), false);
      } else {
        controller.panBy((before.x - now.x) / width, false);
        controller.scrollBy(before.y - now.y, false);
      }
      pressed.set(event.pointerId, now);
    },
    options,
  );

  const release = (event: PointerEvent) => {
    const was = pressed.delete(event.pointerId);
    host.classList.remove('panning');
    if (!was || event.type === 'pointercancel' || travelled >= CLICK_SLACK) return;
    const { x, y } = local(event);
    const box = controller.hit(x, y);
    if (box === undefined) return;
    controller.activate(box);
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
    'contextmenu',
    (event) => {
      if (isOverlay(event)) return;
      const { x, y } = local(event);
      const box = controller.hit(x, y);
      event.preventDefault();
      if (box === undefined) return;
      controller.select(box);
      controller.hovered.value = undefined;
      does.openMenu(box, event.clientX, event.clientY);
    },
    options,
  );
  return () => stop.abort();
}

/** Whether an event is for something that lies on the graph. */
function isOverlay(event: Event): boolean {
  return event.target instanceof Element && event.target.closest('.menu, .minimap') !== null;
}
