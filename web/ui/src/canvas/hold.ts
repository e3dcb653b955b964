import type { Point } from './rect.ts';

/** A finger that rests so long opens a menu, as a right click does. */
export const HOLD_MS = 500;
/** A finger that goes farther does not rest, in CSS pixels. */
const SLACK = 10;

/** Tells when a finger rests: not every browser says so itself. */
export interface Hold {
  /** A finger is put down, or another pointer is pressed. */
  press(event: PointerEvent): void;
  move(event: PointerEvent): void;
  /** It is lifted, or cannot be followed further. Gives whether it had rested. */
  release(): boolean;
  /** The browser says itself that a menu is wanted. Gives whether it was opened for that already. */
  menu(): boolean;
}

/** `open` is told where in the window the finger rests. */
export function createHold(open: (at: Point) => void): Hold {
  let from: Point | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rested = false;
  const stop = () => {
    clearTimeout(timer);
    from = undefined;
  };
  return {
    press(event) {
      const isFirst = event.pointerType === 'touch' && event.isPrimary;
      stop();
      rested = false;
      if (!isFirst) return;
      const at = { x: event.clientX, y: event.clientY };
      from = at;
      timer = setTimeout(() => {
        from = undefined;
        rested = true;
        open(at);
      }, HOLD_MS);
    },
    move(event) {
      if (from === undefined) return;
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLACK) stop();
    },
    release() {
      const had = rested;
      stop();
      rested = false;
      return had;
    },
    menu() {
      stop();
      return rested;
    },
  };
}
