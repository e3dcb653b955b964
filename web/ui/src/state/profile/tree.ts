import type { Answer, Engine, ViewSpec } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { distinct } from '../distinct.ts';
import type { ViewHistory } from '../history.ts';
import { calleesOf, PROGRAM, samePath, specKey } from '../nodes.ts';
import { answers, type Loaded, resource } from '../resource.ts';
import { createSelection, type Selection } from '../selection.ts';
import type { View } from '../view.ts';
import { viewSpec } from '../view-state.ts';
import type { Notices } from '../notices.ts';
import { usable } from './filters.ts';
import type { MetricState } from './metric.ts';

/** The tree on screen, and what is known of it. */
export interface TreeState {
  /** Undefined while there is no profile. */
  readonly spec: ReadonlySignal<ViewSpec | undefined>;
  readonly selection: Selection;
  readonly search: ReadonlySignal<Loaded<Answer<'search'>>>;
  readonly filters: ReadonlySignal<Loaded<Answer<'filters'>>>;
}

export function createTree(
  engine: Engine,
  document: ReadonlySignal<number | undefined>,
  { view, update }: ViewHistory,
  { summary, metric }: MetricState,
  shownView: ReadonlySignal<View>,
  notices: Pick<Notices, 'notice'>,
): TreeState {
  // Changes only when the tree does, not at every change of the view.
  const spec = distinct(() => {
    const shown = document.value;
    if (shown === undefined || summary.value === undefined) return undefined;
    return viewSpec(view.value, shown, metric.value);
  });
  const selection = createSelection(engine, spec);
  const searchInput = computed(() => {
    const pattern = view.value.search;
    return spec.value === undefined || pattern === '' ? undefined : { view: spec.value, pattern };
  });
  const { state: search } = answers(engine, 'search', searchInput);
  const filterInput = computed(() =>
    spec.value === undefined || spec.value.filters.length === 0
      ? undefined
      : shownView.value.byRole
        ? { ...spec.value, role: { role: 0, chosen: [] } }
        : spec.value,
  );
  const { state: filters } = resource(filterInput, (wanted, signal) =>
    engine.call('filters', { view: wanted }, { signal }),
  );

  // The address and the selection follow each other: a selected node's path goes into the address,
  // a path in the address that is not the selected node's is looked up. Without a path it is the function
  // of the address, with what it calls.
  const addressPath = computed(() => view.value.selection);
  const addressFunction = computed(() => view.value.fn);
  let lastKey: number | undefined;
  effect(() => {
    const tree = spec.value;
    const path = addressPath.value;
    const key = addressFunction.value;
    if (tree === undefined || shownView.value.selectsApart) return;
    const isChosen = key !== lastKey;
    lastKey = key;
    const target = selection.target.peek();
    const known = selection.selected.peek().value;
    const sameTree = target !== undefined && specKey(target.spec) === specKey(tree);
    const shown =
      target?.path ?? (known?.place.node === target?.place?.node ? known?.path : undefined);
    if (path.length === 0) {
      // A node whose path is not known yet has nothing in the address either.
      const isAsked = shown === undefined || (shown.length === 0 && key === undefined);
      if (sameTree && isAsked && !isChosen) return;
      const chosen = key === undefined ? undefined : calleesOf(tree, key);
      if (chosen === undefined) {
        if (target !== undefined) selection.pick(undefined);
      } else if (target === undefined || specKey(target.spec) !== specKey(chosen)) {
        selection.pick({ spec: chosen, place: PROGRAM, path: [] });
      }
      return;
    }
    if (sameTree && (shown === undefined || samePath(shown, path))) return;
    selection.pick({ spec: tree, place: undefined, path });
  });
  effect(() => {
    const found = selection.selected.value.value;
    const tree = spec.peek();
    if (found === undefined || selection.selected.value.pending || tree === undefined) return;
    if (specKey(found.spec) !== specKey(tree)) return;
    if (found.isProgram || selection.target.peek() === undefined) return;
    if (!samePath(found.path, view.peek().selection)) update({ selection: found.path }, 'replace');
  });
  // An address may hold filters that cannot be used: they go, and are told.
  effect(() => {
    const { error } = filters.value;
    const tree = spec.peek();
    if (error?.code !== 'bad_pattern' || tree === undefined) return;
    void usable(engine, tree).then(({ filters: kept, problem }) => {
      if (problem === undefined || spec.peek() !== tree) return;
      update({ filters: kept }, 'replace');
      notices.notice.value = `A filter was left out: ${problem}`;
    });
  });
  return { spec, selection, search, filters };
}
