import { changeOf } from '../../canvas/colour.ts';
import {
  childrenOf,
  isMerged,
  isUnsure,
  labelOf,
  parentOf,
  type Scene,
  severalText,
  siblingsOf,
} from '../../canvas/scene.ts';
import { useApp } from '../../state/services.ts';
import { formatShare, formatValue, shareOf, type Unit } from '../../text/units.ts';
import { unitOf } from './unit.ts';

/** So many neighbours on each side are enough to know where one is. */
const NEIGHBOURS = 8;

/**
 * The flame graph for screen readers: the selected frame with its caller, its siblings and what it
 * calls, as tree items out of sight. A canvas has no content of its own.
 */
export function FrameTree(props: {
  readonly scene: Scene;
  readonly selected: number | undefined;
  readonly label: string;
}) {
  const { scene, label } = props;
  const unit = unitOf(useApp(), scene);
  if (scene.count === 0) return null;
  const selected = props.selected ?? 0;
  const parent = parentOf(scene, selected);
  const family = siblingsOf(scene, selected);
  const index = family.indexOf(selected);
  const near = family.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1);
  const children = childrenOf(scene, selected).slice(0, NEIGHBOURS * 2);
  const item = (box: number, relation: string) => (
    <div
      key={`${relation}${box}`}
      id={box === selected ? selectedId(label) : undefined}
      role="treeitem"
      tabIndex={-1}
      aria-level={scene.boxes.row[box]! + 1}
      aria-selected={box === props.selected}
      aria-expanded={box === selected ? children.length > 0 : undefined}
    >
      {describe(scene, box, unit)}
    </div>
  );
  return (
    <div class="hidden-visually">
      {parent !== undefined && item(parent, 'parent')}
      {near.map((box) => item(box, 'sibling'))}
      {children.map((box) => item(box, 'child'))}
    </div>
  );
}

/** Says which frame is selected whenever that changes; a tree holds nothing but its items. */
export function Spoken(props: {
  readonly scene: Scene | undefined;
  readonly selected: number | undefined;
}) {
  const { scene, selected } = props;
  const app = useApp();
  return (
    <div class="hidden-visually" aria-live="polite" role="status">
      {scene === undefined || selected === undefined
        ? ''
        : describe(scene, selected, unitOf(app, scene))}
    </div>
  );
}

/** The element of the selected frame; an identifier has no spaces. */
export function selectedId(label: string): string {
  return `${label.replaceAll(/\s+/g, '-')}-selected`;
}

function describe(scene: Scene, box: number, unit: Unit): string {
  const total = scene.boxes.total_value[box]!;
  const name = isMerged(scene, box) ? severalText(scene, box) : labelOf(scene, box);
  const share = formatShare(shareOf(total, scene.boxes.scale[0]!));
  const tag = changeOf(scene.boxes.tag[box]);
  const doubt = isUnsure(scene, box) ? ', not shown by the runs' : '';
  const change = tag === undefined ? '' : `, ${tag}${doubt}`;
  return `${name}, ${formatValue(total, unit)}, ${share} of all${change}`;
}
