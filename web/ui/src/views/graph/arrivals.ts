import type { Drawing } from '../../state/graph-drawing.ts';
import { keptBox } from './moves.ts';

/** What the screen does when another drawing comes. */
export type Arrival =
  /** It is looked at as the address says, or from its beginning. */
  | { readonly kind: 'begins' }
  /** It has nothing of what was looked at. */
  | { readonly kind: 'differs' }
  /** A box of both keeps its place on the screen, though it has moved by so much. */
  | {
      readonly kind: 'changes';
      readonly before: Drawing;
      readonly dx: number;
      readonly dy: number;
    };

/** `anchors` are the elements whose boxes may keep their place, the first that can does. */
export function arrivalOf(
  before: Drawing | undefined,
  drawing: Drawing,
  isFirstLook: boolean,
  anchors: readonly (number | undefined)[],
): Arrival {
  const isForAnotherScreen = isFirstLook && before?.view.aspect !== drawing.view.aspect;
  if (before?.view.document !== drawing.view.document || isForAnotherScreen) {
    return { kind: 'begins' };
  }
  const kept = keptBox(before, drawing, anchors);
  if (kept === undefined) return { kind: 'differs' };
  return {
    kind: 'changes',
    before,
    dx: drawing.columns.x[kept.now]! - before.columns.x[kept.before]!,
    dy: drawing.columns.y[kept.now]! - before.columns.y[kept.before]!,
  };
}
