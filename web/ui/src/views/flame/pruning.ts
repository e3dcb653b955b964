import { computed, type ReadonlySignal } from '@preact/signals';
import { isRest, type Scene } from '../../canvas/scene.ts';
import type { Selection } from '../../state/selection.ts';
import type { FlameInput } from './controller.ts';
import { pruneScene } from './pruned.ts';
import type { Hidden, PrunedScene } from './rest-boxes.ts';
import { hasAllRows } from './window.ts';

/** The scene as it is drawn, without what is left out, and what that is. */
export function createPruning(
  whole: ReadonlySignal<Scene | undefined>,
  input: ReadonlySignal<FlameInput>,
  selection: Pick<Selection, 'nodeIn'>,
): {
  readonly scene: ReadonlySignal<Scene | undefined>;
  readonly hidden: ReadonlySignal<Hidden | undefined>;
} {
  const pruned = computed(() => input.value.pruned);
  // As long as only some rows are there, nobody knows what they belong to.
  const standard = computed(() =>
    whole.value === undefined || pruned.value === undefined || !hasAllRows(whole.value.window)
      ? undefined
      : pruneScene(whole.value, pruned.value, undefined),
  );
  // Another picture only where the selected frame would be left out.
  const shown = computed(() => {
    const scene = standard.value;
    if (scene === undefined) return undefined;
    const node = selection.nodeIn(scene.subject.spec, scene.result.instance);
    if (node === undefined || !whole.value!.indexOfNode.has(node)) return undefined;
    const box = scene.indexOfNode.get(node);
    return box === undefined || isRest(scene, box) ? node : undefined;
  });
  const drawn = computed<PrunedScene | undefined>(() =>
    standard.value === undefined || shown.value === undefined
      ? standard.value
      : pruneScene(whole.value!, pruned.value!, shown.value),
  );
  return {
    scene: computed(() => drawn.value ?? whole.value),
    hidden: computed(() => drawn.value?.hidden),
  };
}
