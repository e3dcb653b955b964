import type { ListKind, ViewSpec } from '@hotframe/engine';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import { asEngineError, type Loaded, resource } from '../../state/resource.ts';
import { useServices } from '../../state/services.ts';
import { TIMELINE_PART } from '../timeline/state.ts';
import type { Rows, Sorted } from './list.ts';
import { LISTS } from './lists.ts';
import { rowsOf } from './table.ts';

/** More are narrowed by name. */
const MOST_ROWS = 500;

/** The rows of a list, as they are sorted and narrowed. */
export function useRows(
  shown: ReadonlySignal<{ readonly spec: ViewSpec; readonly of: ListKind }>,
  filter: Signal<string>,
): { readonly state: ReadonlySignal<Loaded<Rows & { readonly of: ListKind }>> } {
  const { app } = useServices();
  const rows = useMemo(() => {
    const input = distinct((): Wanted => {
      const state = stateOf(app.view.value, TIMELINE_PART);
      const sort = state.sort ?? { by: undefined, reverse: false };
      const span = shown.value.of === 'critical_path' ? (state.pathOf ?? null) : null;
      return { ...shown.value, sort, filter: filter.value, span };
    });
    return resource(input, async ({ spec: view, of, sort, filter: pattern, span }, signal) => {
      const list = LISTS[of] ?? {};
      const asking = { app, engine: app.engine, signal, view, span };
      const params = { view, list: of, span, filter: pattern, limit: MOST_ROWS };
      const ask = (by: string | null, reverse: boolean) =>
        app.engine.call('list', { ...params, sort: by, reverse, reader: 'page' }, { signal });
      const [{ result: table }, picture] = await Promise.all([
        // An address may name a column that there is no more.
        ask(sort.by ?? null, sort.reverse).catch((error: unknown) => {
          if (sort.by === undefined || asEngineError(error).code !== 'bad_request') throw error;
          return ask(null, false);
        }),
        list.picture?.(asking, pattern),
      ]);
      const { total, noun, notes } = table;
      const isWanted = sort.by === undefined || table.sort === sort.by;
      const shownSort = { by: table.sort ?? undefined, reverse: isWanted && sort.reverse };
      return { ...rowsOf(app, list, table), total, noun, notes, sort: shownSort, picture, of };
    });
  }, []);
  useEffect(() => () => rows.dispose(), []);
  return rows;
}

/** What a list was asked for. */
interface Wanted {
  readonly spec: ViewSpec;
  readonly of: ListKind;
  readonly sort: Sorted;
  readonly filter: string;
  readonly span: number | null;
}
