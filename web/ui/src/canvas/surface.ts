import type { Signal } from '@preact/signals';
import type { Rect, Size } from './rect.ts';

/** Keeps an element's size in a signal until the function that is returned is called. */
export function followSize(host: Element, size: Signal<Size>): () => void {
  const observer = new ResizeObserver(([entry]) => {
    const box = entry?.contentRect;
    if (box !== undefined) size.value = { width: box.width, height: box.height };
  });
  observer.observe(host);
  return () => observer.disconnect();
}

/** Gives a canvas the device pixels of a size; the canvas is cleared if that is another one. */
export function fitCanvas(canvas: HTMLCanvasElement, size: Size, scale: number): void {
  const width = Math.round(size.width * scale);
  const height = Math.round(size.height * scale);
  // Setting the size clears the canvas, even to the same size.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Lays a veil over all of a picture but what is clear. */
export function veilAround(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  clear: Rect,
  veil: { readonly colour: string; readonly alpha: number },
): void {
  const right = clear.x + clear.width;
  const bottom = clear.y + clear.height;
  context.globalAlpha = veil.alpha;
  context.fillStyle = veil.colour;
  context.fillRect(0, 0, clear.x, height);
  context.fillRect(right, 0, width - right, height);
  context.fillRect(clear.x, 0, clear.width, clear.y);
  context.fillRect(clear.x, bottom, clear.width, height - bottom);
  context.globalAlpha = 1;
}
