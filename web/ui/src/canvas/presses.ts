import type { Point } from './rect.ts';

/** A press that moves less is a click, in CSS pixels. */
const CLICK_SLACK = 4;
/** Fingers count as at least so far apart: nearer, a pixel would be a large factor. */
const LEAST_SPREAD = 20;

/** The pointers that are pressed: a mouse, or fingers. */
export interface Presses {
  /** Where each was when it last had an effect. */
  readonly places: ReadonlyMap<number, Point>;
  /** How far they went since the last one was pressed. */
  readonly travelled: number;
}

export const NO_PRESSES: Presses = { places: new Map(), travelled: 0 };

/** What a pointer does. */
export interface PointerStep {
  readonly kind: 'press' | 'move' | 'release' | 'cancel';
  readonly pointer: number;
  readonly at: Point;
}

/** What people mean by it. */
export type Gesture =
  | { readonly kind: 'hover'; readonly at: Point }
  | { readonly kind: 'drag'; readonly from: Point; readonly to: Point }
  | Pinch
  | { readonly kind: 'click'; readonly at: Point };

/** A finger that moves while `other` stays. */
export interface Pinch {
  readonly kind: 'pinch';
  readonly from: Point;
  readonly to: Point;
  readonly other: Point;
}

/** What is pressed after a step, and what the step means, if anything. */
export function followStep(
  presses: Presses,
  { kind, pointer, at }: PointerStep,
): { readonly presses: Presses; readonly gesture: Gesture | undefined } {
  const { places } = presses;
  switch (kind) {
    case 'press':
      return {
        presses: { places: new Map(places).set(pointer, at), travelled: 0 },
        gesture: undefined,
      };
    case 'move': {
      const from = places.get(pointer);
      if (from === undefined) return { presses, gesture: { kind: 'hover', at } };
      const travelled = presses.travelled + Math.abs(at.x - from.x) + Math.abs(at.y - from.y);
      if (travelled < CLICK_SLACK) return { presses: { places, travelled }, gesture: undefined };
      const other = [...places].find(([id]) => id !== pointer)?.[1];
      return {
        presses: { places: new Map(places).set(pointer, at), travelled },
        gesture:
          other === undefined
            ? { kind: 'drag', from, to: at }
            : { kind: 'pinch', from, to: at, other },
      };
    }
    case 'release':
    case 'cancel': {
      const left = new Map(places);
      const wasPressed = left.delete(pointer);
      const isClick = wasPressed && kind === 'release' && presses.travelled < CLICK_SLACK;
      return {
        presses: { ...presses, places: left },
        gesture: isClick ? { kind: 'click', at } : undefined,
      };
    }
  }
}

/** By how much fingers go apart, where only one direction counts: above 1 for apart. */
export function spreadAcross({ from, to, other }: Pinch): number {
  const across = (at: Point) => Math.max(LEAST_SPREAD, Math.abs(at.x - other.x));
  return across(to) / across(from);
}

/** By how much fingers go apart: above 1 for apart. */
export function spread({ from, to, other }: Pinch): number {
  const apart = (at: Point) => Math.max(LEAST_SPREAD, Math.hypot(at.x - other.x, at.y - other.y));
  return apart(to) / apart(from);
}

/** The place between both fingers. */
export function middleOf({ to, other }: Pinch): Point {
  return { x: (to.x + other.x) / 2, y: (to.y + other.y) / 2 };
}
