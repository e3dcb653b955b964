import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Point } from '../../canvas/rect.ts';
import type { GraphState } from '../../state/graph.ts';
import type { Drawing } from '../../state/graph-drawing.ts';
import { elementOf, sameTarget, type Target, targetOf } from './hit.ts';

/** What is selected, and what is pointed at. */
export function createChoosing(
  graph: Pick<GraphState, 'scene' | 'view' | 'select'>,
  /** What of a drawing is at a point of the screen. */
  targetUnder: (drawing: Drawing, at: Point) => Target | undefined,
) {
  const { scene, view } = graph;
  const hovered = signal<Target | undefined>(undefined);
  /** The box that was selected last, where an element has several. */
  const chosen = signal<number | undefined>(undefined);
  const selected = computed<Target | undefined>(() => {
    const drawn = scene.value?.drawing;
    const element = view.value.selection;
    if (drawn === undefined || element === undefined) return undefined;
    const box = chosen.value;
    return box !== undefined && drawn.columns.element[box] === element
      ? { kind: 'box', box }
      : targetOf(drawn, element);
  });

  /** What is at a point; the same object as long as it is what is pointed at. */
  function hit(at: Point): Target | undefined {
    const drawing = scene.peek()?.drawing;
    const target = drawing && targetUnder(drawing, at);
    return sameTarget(target, hovered.peek()) ? hovered.peek() : target;
  }

  return {
    hovered: hovered as ReadonlySignal<Target | undefined>,
    selected,
    hit,
    /** The pointer is over a point of the screen, or nowhere. */
    hover(at: Point | undefined) {
      hovered.value = at && hit(at);
    },
    select(target: Target | undefined) {
      const drawing = scene.peek()?.drawing;
      batch(() => {
        chosen.value = target?.kind === 'box' ? target.box : undefined;
        graph.select(drawing && target && elementOf(drawing, target));
      });
    },
  };
}
