import type { Point, Rect, Size } from '../../canvas/rect.ts';
import type { Camera } from '../../state/graph-view.ts';

/** Further out nothing is larger than a pixel of any drawing; further in letters fill the screen. */
const FURTHEST = 0.0002;
const CLOSEST = 8;
/** What fits is drawn no larger than this. */
const FIT_CLOSEST = 1.25;

export function toScreen(camera: Camera, size: Size, at: Point): Point {
  return {
    x: (at.x - camera.x) * camera.zoom + size.width / 2,
    y: (at.y - camera.y) * camera.zoom + size.height / 2,
  };
}

export function toWorld(camera: Camera, size: Size, at: Point): Point {
  return {
    x: (at.x - size.width / 2) / camera.zoom + camera.x,
    y: (at.y - size.height / 2) / camera.zoom + camera.y,
  };
}

/** The part of the drawing that is in sight. */
export function viewOf(camera: Camera, size: Size): Rect {
  const width = size.width / camera.zoom;
  const height = size.height / camera.zoom;
  return { x: camera.x - width / 2, y: camera.y - height / 2, width, height };
}

/** Zooms by `factor` (above 1: closer) so that what is under a point of the screen stays there. */
export function zoomAt(camera: Camera, size: Size, at: Point, factor: number): Camera {
  const zoom = Math.min(CLOSEST, Math.max(FURTHEST, camera.zoom * factor));
  const fixed = toWorld(camera, size, at);
  return {
    x: fixed.x - (at.x - size.width / 2) / zoom,
    y: fixed.y - (at.y - size.height / 2) / zoom,
    zoom,
  };
}

/** Moves by pixels of the screen; at least a corner of the drawing stays in sight. */
export function panBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx / camera.zoom, y: camera.y + dy / camera.zoom };
}

/** The middle of the screen kept over the drawing, so that nobody gets lost. */
export function keepInSight(camera: Camera, drawing: Size): Camera {
  return {
    ...camera,
    x: Math.min(drawing.width, Math.max(0, camera.x)),
    y: Math.min(drawing.height, Math.max(0, camera.y)),
  };
}

/** All of a rectangle, with a margin in CSS pixels. */
export function fit(rect: Rect, size: Size, margin: number, closest = FIT_CLOSEST): Camera {
  const zoom = Math.min(
    closest,
    Math.max(1, size.width - 2 * margin) / Math.max(1, rect.width),
    Math.max(1, size.height - 2 * margin) / Math.max(1, rect.height),
  );
  return {
    x: rect.x + rect.width / 2,
    y: rect.y + rect.height / 2,
    zoom: Math.min(CLOSEST, Math.max(FURTHEST, zoom)),
  };
}

/**
 * A first look: all of it where labels can be read then; else its upper end, as wide as it is but
 * with readable titles, because programs are read from the top.
 */
export function firstLook(drawing: Size, size: Size, margin: number, readable: number): Camera {
  const whole = { x: 0, y: 0, ...drawing };
  const all = fit(whole, size, margin);
  if (all.zoom >= readable) return all;
  const across = (size.width - 2 * margin) / Math.max(1, drawing.width);
  const zoom = Math.min(readable, Math.max(all.zoom, across));
  return { x: drawing.width / 2, y: (size.height / 2 - margin) / zoom, zoom };
}

/** A drawing in the middle moved to the right, if there is room, so that `left` pixels are free. */
export function leaveRoom(camera: Camera, drawing: Size, size: Size, left: number): Camera {
  const width = drawing.width * camera.zoom;
  const missing = left - (size.width - width) / 2;
  if (missing <= 0 || width > size.width - left) return camera;
  return { ...camera, x: camera.x - missing / camera.zoom };
}

/** A rectangle in the middle of the screen at a zoom; its upper left end where it is too large. */
export function lookAt(rect: Rect, size: Size, margin: number, zoom: number): Camera {
  const place = (from: number, length: number, room: number) =>
    length * zoom <= room - 2 * margin ? from + length / 2 : from + (room / 2 - margin) / zoom;
  return {
    x: place(rect.x, rect.width, size.width),
    y: place(rect.y, rect.height, size.height),
    zoom,
  };
}

/** A camera on the way; the zoom goes geometrically, so that it looks equally fast all the way. */
export function between(from: Camera, to: Camera, progress: number): Camera {
  const zoom = from.zoom * (to.zoom / from.zoom) ** progress;
  const near = Math.abs(to.zoom / from.zoom - 1) < 1e-3;
  const moved = near ? progress : (1 / zoom - 1 / from.zoom) / (1 / to.zoom - 1 / from.zoom);
  return {
    x: from.x + (to.x - from.x) * moved,
    y: from.y + (to.y - from.y) * moved,
    zoom,
  };
}

export function intersects(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function contains(rect: Rect, at: Point): boolean {
  return (
    at.x >= rect.x && at.x <= rect.x + rect.width && at.y >= rect.y && at.y <= rect.y + rect.height
  );
}
