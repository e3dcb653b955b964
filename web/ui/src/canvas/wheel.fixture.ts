import { type Wheel, wheelOf } from './wheel.ts';

const STILL = {
  deltaX: 0,
  deltaY: 0,
  deltaMode: 0,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  timeStamp: 0,
};

/** A turn of the wheel, of which a test says what matters. */
export function wheelWith(event: Partial<typeof STILL>): Wheel {
  return wheelOf({ ...STILL, ...event });
}
