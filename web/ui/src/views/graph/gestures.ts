import type { Signal } from '@preact/signals';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spread } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import { isOpen } from '../../state/graph-drawing.ts';
import type { GraphController } from './controller.ts';
import { wheelEffect } from './wheel.ts';

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
  return followPointer(host, {
    buttons: [0, 1],
    pointer,
    hover(at) {
      controller.hover(at);
    },
    wheel(wheel, at) {
      const effect = wheelEffect(wheel);
      if (effect.kind === 'zoom') controller.zoomBy(effect.factor, at, wheel.jumps);
      else controller.panBy(effect.dx, effect.dy, wheel.jumps);
    },
    drag(from, to) {
      controller.panBy(from.x - to.x, from.y - to.y, false);
    },
    pinch(pinch) {
      controller.zoomBy(spread(pinch), middleOf(pinch), false);
    },
    click(at) {
      const chevron = controller.chevronAt(at);
      if (chevron !== undefined) {
        controller.toggle(chevron);
        return;
      }
      controller.select(controller.hit(at));
      does.clicked();
    },
    doubleClick(at) {
      const target = controller.hit(at);
      const drawing = controller.scene.peek()?.drawing;
      if (drawing === undefined || target === undefined || controller.chevronAt(at) !== undefined)
        return;
      const isGround = target.kind === 'box' && isOpen(drawing, target.box);
      if (target.kind === 'edge' || isGround) controller.fitTo(target);
      else controller.toggle(target.box);
    },
    openMenu(at, inWindow) {
      const target = controller.hit(at);
      if (target === undefined) return;
      controller.select(target);
      controller.hover(undefined);
      does.openMenu(inWindow.x, inWindow.y);
    },
  });
}
