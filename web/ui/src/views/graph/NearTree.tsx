import type { GraphScene } from '../../state/graph-scene.ts';
import { KIND_LABELS } from '../../state/graph-view.ts';
import { childrenOf, isFoldable, isOpen, kindOf, labelOf } from '../../state/graph-drawing.ts';
import type { Target } from './hit.ts';
import { edgeText, secondLine } from './texts.ts';

/** So many neighbours on each side are enough to know where one is. */
const NEIGHBOURS = 8;

/**
 * The picture for screen readers: the selected box with what is around, beside and in it, as tree
 * items out of sight. A canvas has no content of its own; the outline has all of it.
 */
export function NearTree(props: {
  readonly scene: GraphScene;
  readonly selected: Target | undefined;
}) {
  const { scene, selected } = props;
  const { drawing } = scene;
  if (drawing.count === 0) return null;
  const at = selected?.kind === 'box' ? selected.box : 0;
  const item = (box: number, relation: string) => (
    <div
      key={`${relation}${box}`}
      id={box === at && selected?.kind === 'box' ? 'graph-selected' : undefined}
      role="treeitem"
      tabIndex={-1}
      aria-level={drawing.level[box]! + 1}
      aria-selected={box === at && selected !== undefined}
      aria-expanded={isFoldable(drawing, box) ? isOpen(drawing, box) : undefined}
    >
      {describe(scene, box)}
    </div>
  );
  const family = at === 0 ? [0] : childrenOf(drawing, drawing.columns.parent[at]!);
  const index = family.indexOf(at);
  const near = family.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1);
  return (
    <div class="hidden-visually">
      {at !== 0 && item(drawing.columns.parent[at]!, 'parent')}
      {near.map((box) => item(box, 'sibling'))}
      {childrenOf(drawing, at)
        .slice(0, 2 * NEIGHBOURS)
        .map((box) => item(box, 'child'))}
    </div>
  );
}

/** Says what is selected whenever that changes; a tree holds nothing but its items. */
export function SpokenElement(props: {
  readonly scene: GraphScene | undefined;
  readonly selected: Target | undefined;
}) {
  const { scene, selected } = props;
  return (
    <div class="hidden-visually" aria-live="polite" role="status">
      {scene === undefined || selected === undefined
        ? ''
        : selected.kind === 'box'
          ? describe(scene, selected.box)
          : `edge, ${edgeText(scene, selected.edge)}`}
    </div>
  );
}

function describe(scene: GraphScene, box: number): string {
  const { drawing } = scene;
  return [KIND_LABELS[kindOf(drawing, box)], labelOf(drawing, box), secondLine(scene, box)]
    .filter((part) => part !== '')
    .join(', ');
}
