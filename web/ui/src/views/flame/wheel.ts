import { isZoom, type Wheel, zoomFactor } from '../../canvas/wheel.ts';

/** After reaching the full width, the wheel must rest so long before it leaves the zoomed frame. */
const REST_MS = 300;
/** How much a pixel of a wheel zooms. */
const SPEED = 0.0022;

/** What of a flame graph decides what the wheel does. */
export interface WheelPlace {
  /** Width of the picture in CSS pixels. */
  readonly width: number;
  /** Whether there are more rows than fit. */
  readonly scrolls: boolean;
  /** How much of the root's width is in sight, 0 to 1. */
  readonly span: number;
  /** When the wheel turned before, in milliseconds. */
  readonly turned: number;
}

export type WheelEffect =
  | { readonly kind: 'pan'; readonly share: number }
  | { readonly kind: 'scroll'; readonly pixels: number }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'leave' };

/** What a turn of the wheel does to a flame graph, if anything. */
export function wheelEffect(wheel: Wheel, place: WheelPlace): WheelEffect | undefined {
  const { dx, dy } = wheel;
  if (!isZoom(wheel)) {
    if (wheel.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      return { kind: 'pan', share: (wheel.shiftKey && dx === 0 ? dy : dx) / place.width };
    }
    if (place.scrolls) return { kind: 'scroll', pixels: dy };
  }
  // Wheeling out at the full width goes out of the frame that fills it.
  if (dy > 0 && place.span >= 1) {
    return wheel.time - place.turned > REST_MS ? { kind: 'leave' } : undefined;
  }
  return { kind: 'zoom', factor: zoomFactor(wheel, wheel.ctrlKey, SPEED) };
}
