import { computed, type ReadonlySignal } from '@preact/signals';
import { specKey } from '../../state/nodes.ts';
import type { Pruned } from '../../state/pruning.ts';
import type { Selection } from '../../state/selection.ts';
import { isWhole, pruneRows } from './pruned.ts';
import { indexOfNode, type RowsPart } from './rows.ts';

/**
 * The rows of a table without those that are left out; undefined where none are, and until all rows are
 * there to tell. The way to the selected node is always listed.
 */
export function createPrunedListing(
  loaded: ReadonlySignal<RowsPart | undefined>,
  pruned: ReadonlySignal<Pruned | undefined>,
  selection: Pick<Selection, 'selected'>,
): ReadonlySignal<RowsPart | undefined> {
  const standard = computed(() =>
    loaded.value === undefined || pruned.value === undefined || !isWhole(loaded.value)
      ? undefined
      : pruneRows(loaded.value, pruned.value, new Set()),
  );
  const selectedWay = computed(() => {
    const found = selection.selected.value.value;
    const part = standard.value;
    if (found === undefined || part === undefined || found.isProgram) return [];
    const belongs = found.place.instance === part.instance;
    return belongs && specKey(found.spec) === specKey(part.spec)
      ? found.place.nodes.map(({ node }) => node)
      : [];
  });
  return computed(() => {
    const way = selectedWay.value;
    const isListed = indexOfNode(standard.value, way.at(-1)) !== undefined;
    return standard.value === undefined || way.length === 0 || isListed
      ? standard.value
      : pruneRows(loaded.value!, pruned.value!, new Set(way));
  });
}
