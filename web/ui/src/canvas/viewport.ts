/**
 * What part of a flame graph the screen shows: a range of the root node's width (0 to 1) and how
 * far the rows are scrolled, in CSS pixels.
 */
export interface Viewport {
  readonly from: number;
  readonly to: number;
  readonly top: number;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export const WHOLE: Range = { from: 0, to: 1 };

/**
 * The narrowest range: a double has 53 bits, so positions inside [0, 1] still differ by less than
 * a thousandth of a pixel on a screen 4,000 pixels wide.
 */
const NARROWEST = 1e-9;

/** Zooms by `factor` (below 1: closer) so that the point at `anchor` (0 to 1 of the range) stays. */
export function zoomRange(range: Range, factor: number, anchor: number): Range {
  const span = Math.min(1, Math.max(NARROWEST, (range.to - range.from) * factor));
  const fixed = range.from + (range.to - range.from) * anchor;
  return clampRange({ from: fixed - span * anchor, to: fixed + span * (1 - anchor) });
}

/** Moves by `share` of the range's own width. */
export function panRange(range: Range, share: number): Range {
  const distance = (range.to - range.from) * share;
  return clampRange({ from: range.from + distance, to: range.to + distance });
}

/** The same width, pushed back into [0, 1]. */
export function clampRange({ from, to }: Range): Range {
  const span = Math.min(1, to - from);
  const start = Math.min(Math.max(0, from), 1 - span);
  return { from: start, to: start + span };
}

/**
 * A quarter of the viewport more on each side, so that panning has something to draw. More would
 * cost detail: the engine gives only so many boxes, and those out of sight count.
 */
export function withOverscan(range: Range): Range {
  const margin = (range.to - range.from) / 4;
  return { from: Math.max(0, range.from - margin), to: Math.min(1, range.to + margin) };
}

/** A range around a box that is too narrow to fill the view on its own. */
export function rangeAround(x: number, width: number): Range {
  const span = Math.min(1, Math.max(width * 1.2, NARROWEST));
  return clampRange({ from: x - (span - width) / 2, to: x - (span - width) / 2 + span });
}

export function clampTop(top: number, contentHeight: number, viewHeight: number): number {
  return Math.min(Math.max(0, top), Math.max(0, contentHeight - viewHeight));
}

/**
 * A viewport between two others. The width goes geometrically, so that a zoom by a thousand looks
 * equally fast all the way; the position follows it so that the motion has one fixed point.
 */
export function between(a: Viewport, b: Viewport, progress: number): Viewport {
  const spanA = a.to - a.from;
  const spanB = b.to - b.from;
  const span = spanA * (spanB / spanA) ** progress;
  const moved = spanA === spanB ? progress : (span - spanA) / (spanB - spanA);
  const from = a.from + (b.from - a.from) * moved;
  return { from, to: from + span, top: a.top + (b.top - a.top) * progress };
}
