import { type ReadonlySignal, signal } from '@preact/signals';
import type { Point } from '../../canvas/rect.ts';
import { type Drag, dragTo, endOf } from './drags.ts';
import type { Pointed } from './hit.ts';
import { RULER } from './places.ts';
import type { Window } from './times.ts';

/** What the pointer is over, and what it drags over. */
export function createPointing(options: {
  timeAt(x: number): number;
  /** How much time a pixel is. */
  unit(): number;
  readonly length: ReadonlySignal<number>;
  readonly gutter: ReadonlySignal<number>;
  hit(x: number, y: number): Pointed | undefined;
  trackAt(y: number): number | undefined;
  zoomTo(begin: number, lasts: number): void;
  choose(window: Window): void;
}) {
  const { length, gutter } = options;
  const hovered = signal<Pointed | undefined>(undefined);
  const overTrack = signal<number | undefined>(undefined);
  const dragged = signal<Drag | undefined>(undefined);
  const timeAt = (x: number) => options.timeAt(Math.max(gutter.peek(), x));
  return {
    hovered: hovered as ReadonlySignal<Pointed | undefined>,
    /** The track that the pointer is over. */
    overTrack: overTrack as ReadonlySignal<number | undefined>,
    /** The stretch that is being dragged. */
    dragged: dragged as ReadonlySignal<Window | undefined>,
    /** The pointer is at a place, or at none of the picture. */
    hover(at: Point | undefined) {
      hovered.value = at && options.hit(at.x, at.y);
      if (at !== undefined) overTrack.value = options.trackAt(at.y);
    },
    /** What was pointed at is drawn elsewhere now. */
    forget() {
      hovered.value = undefined;
    },
    leaveTracks() {
      overTrack.value = undefined;
    },
    /** A press begins, which may become a drag. */
    press() {
      dragged.value = undefined;
    },
    dragTo(from: Point, to: Point) {
      const begun = { anchor: timeAt(from.x), onRuler: from.y < RULER };
      dragged.value = dragTo(dragged.peek(), begun, timeAt(to.x), length.peek());
    },
    /** Ends a drag: on the ruler it zooms, on tracks it chooses a range. */
    drop() {
      const drag = dragged.peek();
      dragged.value = undefined;
      const does = endOf(drag, options.unit());
      if (drag === undefined || does === undefined) return;
      const { from, to } = drag;
      if (does === 'zoom') options.zoomTo(from, to - from);
      else options.choose({ from, to });
    },
  };
}
