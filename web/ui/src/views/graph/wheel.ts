import { isZoom, type Wheel, zoomFactor } from '../../canvas/wheel.ts';

/** How much a pixel of a wheel zooms. */
const SPEED = 0.0028;

export type WheelEffect =
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'pan'; readonly dx: number; readonly dy: number };

/** What a turn of the wheel does to a graph; a factor above 1 leads closer. */
export function wheelEffect(wheel: Wheel): WheelEffect {
  const { dx, dy } = wheel;
  if (isZoom(wheel)) return { kind: 'zoom', factor: 1 / zoomFactor(wheel, true, SPEED) };
  return wheel.shiftKey && dx === 0 ? { kind: 'pan', dx: dy, dy: 0 } : { kind: 'pan', dx, dy };
}
