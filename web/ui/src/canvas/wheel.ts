/** One notch of a mouse wheel, in pixels; trackpads send less and need no smoothing. */
const NOTCH = 40;
/** Pixels of a line and of a page, for mice that count in those. */
const LINE = 16;
const PAGE = 400;
/** How much a pixel of a pinch on a trackpad zooms. */
const PINCH_SPEED = 0.01;

/** A turn of the wheel, in CSS pixels. */
export interface Wheel {
  readonly dx: number;
  readonly dy: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** Whether it jumps, so that a motion is better to follow. */
  readonly jumps: boolean;
  /** Milliseconds. */
  readonly time: number;
}

export function wheelOf(
  event: Pick<
    WheelEvent,
    'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'timeStamp'
  >,
): Wheel {
  const each = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? PAGE : 1;
  const [dx, dy] = [event.deltaX * each, event.deltaY * each];
  const { ctrlKey, metaKey, shiftKey, timeStamp } = event;
  const jumps = Math.abs(dx) + Math.abs(dy) >= NOTCH;
  return { dx, dy, ctrlKey, metaKey, shiftKey, jumps, time: timeStamp };
}

/** Whether a key is held that makes a wheel zoom. */
export function isZoom({ ctrlKey, metaKey }: Wheel): boolean {
  return ctrlKey || metaKey;
}

/**
 * How much further away a wheel leads, as a factor: above 1 for away. A pinch on a trackpad comes
 * as small turns with a key held; it moves as fingers do, a wheel at a `speed` of its own.
 */
export function zoomFactor({ dy }: Wheel, mayPinch: boolean, speed: number): number {
  return Math.exp(dy * (mayPinch && Math.abs(dy) < NOTCH ? PINCH_SPEED : speed));
}
