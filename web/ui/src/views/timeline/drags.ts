import type { Window } from './times.ts';

/** Shorter drags are clicks that slipped, in pixels. */
const LEAST_DRAG = 4;

/** A stretch of time that is being dragged over. */
export interface Drag extends Window {
  /** Where it began. */
  readonly anchor: number;
  /** On the ruler a drag zooms; on tracks it chooses a range. */
  readonly onRuler: boolean;
}

/** A drag goes on to a time; it does not leave the recording. */
export function dragTo(
  drag: Drag | undefined,
  begun: { readonly anchor: number; readonly onRuler: boolean },
  time: number,
  length: number,
): Drag {
  const inside = (at: number) => Math.min(length, Math.max(0, at));
  const anchor = drag?.anchor ?? begun.anchor;
  const [one, other] = [inside(anchor), inside(time)];
  return {
    anchor,
    onRuler: begun.onRuler,
    from: Math.min(one, other),
    to: Math.max(one, other),
  };
}

/** What a drag does when it ends; nothing where it was too short. */
export function endOf(drag: Drag | undefined, unit: number): 'zoom' | 'choose' | undefined {
  if (drag === undefined || (drag.to - drag.from) / unit < LEAST_DRAG) return undefined;
  return drag.onRuler ? 'zoom' : 'choose';
}
