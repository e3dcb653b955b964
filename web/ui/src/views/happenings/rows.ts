import type { ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Loaded, resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import type { List, Rows, Sorted } from './list.ts';
import { type Listed, LISTS } from './lists.ts';

/** More are narrowed by name. */
const MOST_ROWS = 500;

/** What a list is sorted by: what is wanted, if it can be. */
export function sortOf({ columns, standard }: List, wanted: Sorted | undefined): Sorted {
  const known = ['name', standard.by, ...columns.map(({ by }) => by)];
  return wanted !== undefined && known.includes(wanted.by) ? wanted : standard;
}

/** The rows of a list, as they are sorted and narrowed. */
export function useRows(
  shown: ReadonlySignal<{ readonly spec: ViewSpec; readonly of: Listed }>,
  filter: Signal<string>,
): { readonly state: ReadonlySignal<Loaded<Rows & { readonly of: Listed }>> } {
  const { app } = useServices();
  const rows = useMemo(() => {
    const input = computed(() => {
      const { spec, of } = shown.value;
      const origin = app.profile.timeline.value?.tracks.value.value?.origin ?? 0;
      const sort = sortOf(LISTS[of], app.view.value.timeline.sort);
      return JSON.stringify({ spec, of, origin, sort, filter: filter.value });
    });
    return resource(input, async (text, signal) => {
      const { spec, of, origin, sort, filter: pattern } = JSON.parse(text) as Wanted;
      const asked = { view: spec, filter: pattern, reverse: sort.reverse, limit: MOST_ROWS };
      const found = await LISTS[of].load(
        { app, engine: app.engine, signal, origin },
        asked,
        sort.by,
      );
      return { ...found, of };
    });
  }, []);
  useEffect(() => () => rows.dispose(), []);
  return rows;
}

/** What a list was asked for. */
interface Wanted {
  readonly spec: ViewSpec;
  readonly of: Listed;
  readonly origin: number;
  readonly sort: Sorted;
  readonly filter: string;
}
