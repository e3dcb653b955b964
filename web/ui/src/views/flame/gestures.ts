import type { Signal } from '@preact/signals';
import { contentHeight, graphWidth, PADDING } from '../../canvas/paint.ts';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spreadAcross } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import type { FlameController } from './controller.ts';
import { wheelEffect } from './wheel.ts';

/** Turns wheel, mouse and touch into motions of a flame graph. */
export function followFlamePointer(
  host: HTMLElement,
  controller: FlameController,
  pointer: Signal<Point>,
  does: {
    /** A box was clicked, which has its effect on the graph already. */
    clicked(): void;
    openMenu(box: number, x: number, y: number): void;
  },
): () => void {
  let turned = 0;
  const anchorOf = ({ x }: Point) => (x - PADDING) / graphWidth(controller.size.peek());

  return followPointer(host, {
    buttons: [0],
    pointer,
    hover(at) {
      controller.hovered.value = at && controller.hit(at.x, at.y);
    },
    wheel(wheel, at) {
      const scene = controller.scene.peek();
      const { width, height } = controller.size.peek();
      const { from, to } = controller.viewport.peek();
      const scrolls = scene !== undefined && contentHeight(scene) > height + 1;
      const effect = wheelEffect(wheel, { width, scrolls, span: to - from, turned });
      turned = wheel.time;
      switch (effect?.kind) {
        case 'pan':
          controller.panBy(effect.share, wheel.jumps);
          break;
        case 'scroll':
          controller.scrollBy(effect.pixels, wheel.jumps);
          break;
        case 'zoom':
          controller.zoomBy(effect.factor, anchorOf(at), wheel.jumps);
          break;
        case 'leave':
          controller.zoomOut();
          break;
        case undefined:
      }
    },
    drag(from, to) {
      controller.panBy((from.x - to.x) / controller.size.peek().width, false);
      controller.scrollBy(from.y - to.y, false);
    },
    pinch(pinch) {
      controller.zoomBy(1 / spreadAcross(pinch), anchorOf(middleOf(pinch)), false);
    },
    click({ x, y }) {
      const box = controller.hit(x, y);
      if (box === undefined) return;
      controller.activate(box);
      does.clicked();
    },
    openMenu({ x, y }, inWindow) {
      const box = controller.hit(x, y);
      if (box === undefined) return;
      controller.select(box);
      controller.hovered.value = undefined;
      does.openMenu(box, inWindow.x, inWindow.y);
    },
  });
}
