import type { Signal } from '@preact/signals';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spreadAcross } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import { isZoom, zoomFactor } from '../../canvas/wheel.ts';
import type { TimelineController } from './controller.ts';
import type { Menus } from './menus.ts';
import { heightOf, RULER } from './places.ts';

/** How much a pixel of a wheel zooms. */
const WHEEL_SPEED = 0.0022;

/** Turns wheel, mouse and touch into motions of the timeline. */
export function followTimeline(
  host: HTMLElement,
  controller: TimelineController,
  pointer: Signal<Point>,
  menus: Pick<Menus, 'openItem' | 'openTrack'>,
): () => void {
  const stop = new AbortController();
  /** Whether a drag moves the picture. */
  let pans = false;
  host.addEventListener(
    'pointerdown',
    (event) => {
      pans = event.pointerType === 'touch' || event.shiftKey || event.button === 1;
      controller.press();
    },
    { signal: stop.signal, capture: true },
  );
  const share = ({ x }: Point) =>
    (x - controller.gutter.peek()) / Math.max(1, controller.plotWidth.peek());
  const stopPointer = followPointer(host, {
    buttons: [0, 1],
    pointer,
    hover: controller.hover,
    wheel(wheel, at) {
      const { width, height } = controller.size.peek();
      const scrolls = heightOf(controller.places.peek()) > height - RULER + 1;
      const sideways = wheel.shiftKey || Math.abs(wheel.dx) > Math.abs(wheel.dy);
      if (isZoom(wheel) || (!sideways && !scrolls)) {
        const factor = zoomFactor(wheel, wheel.ctrlKey, WHEEL_SPEED);
        controller.zoomBy(factor, share(at), wheel.jumps ? 'step' : 'follow');
      } else if (sideways) {
        const by = wheel.shiftKey && wheel.dx === 0 ? wheel.dy : wheel.dx;
        controller.panBy(by / width, wheel.jumps ? 'step' : 'follow');
      } else controller.scrollTo(controller.scroll.peek() + wheel.dy);
    },
    drag(from, to) {
      if (pans) {
        controller.panBy((from.x - to.x) / controller.plotWidth.peek(), 'follow');
        controller.scrollTo(controller.scroll.peek() + from.y - to.y);
        return;
      }
      controller.dragTo(from, to);
    },
    pinch(pinch) {
      controller.zoomBy(1 / spreadAcross(pinch), share(middleOf(pinch)), 'follow');
    },
    click(at) {
      const pointed = controller.hit(at.x, at.y);
      if (pointed?.kind === 'name') {
        controller.pointTo(pointed.track);
        controller.toggle(pointed.track);
      } else {
        controller.select(
          pointed?.kind === 'bar' ? controller.keyAt(pointed.bar) : undefined,
          true,
        );
      }
    },
    doubleClick(at) {
      const scene = controller.scene.peek();
      const pointed = controller.hit(at.x, at.y);
      if (pointed?.kind !== 'bar' || scene === undefined) return;
      const { columns } = scene.answer;
      const begin = columns.bar_begin[pointed.bar]!;
      controller.zoomTo(begin, columns.bar_end[pointed.bar]! - begin);
    },
    openMenu(at, inWindow) {
      const pointed = controller.hit(at.x, at.y);
      if (pointed?.kind === 'name') menus.openTrack(pointed.track, inWindow);
      if (pointed?.kind !== 'bar') return;
      controller.select(controller.keyAt(pointed.bar));
      menus.openItem(inWindow);
    },
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    host.addEventListener(kind, controller.drop, { signal: stop.signal });
  }
  return () => {
    stop.abort();
    stopPointer();
  };
}
