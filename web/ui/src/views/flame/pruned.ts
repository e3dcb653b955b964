import { FlameFlag } from '@hotframe/engine';
import { isMerged, parentOf, type Scene } from '../../canvas/scene.ts';
import { pathBelow, pathText } from '../../state/profile/pruned.ts';
import {
  type Cut,
  cutOf,
  type Pruned,
  type Pruning,
  pruningOf,
  restText,
  totalsAddUp,
} from '../../state/pruning.ts';
import { NO_VALUE } from '../../text/units.ts';
import { type PrunedScene, type RestRun, withRests } from './rest-boxes.ts';
import { rootKeys } from './source.ts';

type Fate = 'drawn' | 'rest' | 'gone';

/**
 * Leaves out the boxes that are small or deep, with all below them: neighbours of one parent become
 * one box. What the search finds and the node `shown` stay, with the way to them. The scene has all
 * rows from its root on, so that the parent of each box is known. Undefined where nothing is left out in
 * the metric of the scene.
 */
export function pruneScene(
  scene: Scene,
  pruned: Pruned,
  shown: number | undefined,
): PrunedScene | undefined {
  const { boxes, subject } = scene;
  const { spec } = subject;
  const metric = pruned.metrics[spec.metric];
  const pruning = pruningOf(pruned, spec.metric);
  if (pruning === undefined) return undefined;
  const way = rootKeys(scene);
  const needed = neededBoxes(scene, shown);
  const fates: Fate[] = [];
  /** What is left out right below these is drawn. */
  const revealed = new Uint8Array(scene.count);
  /** All below these is drawn. */
  const open = new Uint8Array(scene.count);
  const paths: string[] = [];
  const rests: RestRun[] = [];
  for (let box = 0; box < scene.count; box++) {
    const parent = parentOf(scene, box);
    const isRoot = boxes.row[box] === 0;
    if (!isRoot && (parent === undefined || fates[parent] !== 'drawn')) {
      fates.push('gone');
      continue;
    }
    if (pruned.revealed.size > 0) {
      paths[box] = isRoot ? pathText(way) : pathBelow(paths[parent!]!, boxes.key[box]!);
      revealed[box] = pruned.revealed.has(paths[box]!) ? 1 : 0;
    }
    const why = cutOfBox(scene, box, pruning, metric?.signed === true, way.length);
    const isInside = !isRoot && open[parent!] === 1;
    // Whoever zooms to what is left out wants to see it, too.
    const isWanted = isRoot || isInside || revealed[parent!] === 1;
    open[box] = isInside || (isWanted && why !== undefined) ? 1 : 0;
    if (isWanted || why === undefined || needed.has(box)) {
      fates.push('drawn');
      continue;
    }
    const last = rests.at(-1);
    const goesOn = last?.last === box - 1 && boxes.parent[last.first] === boxes.parent[box];
    if (goesOn) rests.splice(-1, 1, { ...last, last: box });
    else rests.push({ first: box, last: box, why });
    fates.push('rest');
  }
  const drawn = fates.flatMap((fate, box) => (fate === 'drawn' ? [box] : []));
  return withRests(scene, drawn, rests, {
    text: (count, why) => restText({ count, why }, pruning),
    addsUp: (box) =>
      !pruned.isComparison && totalsAddUp(spec.shape, metric, way.length + boxes.row[box]! === 1),
    // What functions have by their callers overlaps as they do.
    allAddUp: spec.shape.kind !== 'all_callers',
  });
}

/** The boxes that must be drawn: of what the search finds, of a node, and those above them. */
function neededBoxes(scene: Scene, shown: number | undefined): ReadonlySet<number> {
  const needed = new Set<number>();
  const add = (from: number | undefined) => {
    let box = from;
    while (box !== undefined && !needed.has(box)) {
      needed.add(box);
      box = parentOf(scene, box);
    }
  };
  add(shown === undefined ? undefined : scene.indexOfNode.get(shown));
  for (let box = 0; box < scene.count; box++) {
    if ((scene.boxes.flags[box]! & FlameFlag.MATCHES) !== 0) add(box);
  }
  return needed;
}

/** Why a box is left out; several narrow ones that are drawn as one only where each of them would be. */
function cutOfBox(
  scene: Scene,
  box: number,
  pruning: Pruning,
  signed: boolean,
  rootDepth: number,
): Cut | undefined {
  const { boxes, result, window } = scene;
  const [program = 0n, root = 0n] = boxes.scale;
  const depth = rootDepth + boxes.row[box]!;
  const total = boxes.total_value[box]!;
  if (!isMerged(scene, box)) return cutOf(pruning, depth, total, program);
  const isSum = total !== NO_VALUE && !signed;
  // None of them is wider than the narrowest box that is drawn on its own.
  const widest = ((window.to - window.from) / window.width) * result.narrowest;
  const most = BigInt(Math.ceil(widest * Math.abs(Number(root))));
  return (
    (isSum ? cutOf(pruning, depth, total, program) : undefined) ??
    cutOf(pruning, depth, most, program)
  );
}
