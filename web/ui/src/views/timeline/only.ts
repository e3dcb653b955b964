import type { Filter } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';
import type { TimelineController } from './controller.ts';

/** The entry that filters to the thread or process of a track, or takes that back. */
export function onlyItem(
  app: App,
  controller: TimelineController,
  track: number,
): MenuItem | undefined {
  const all = controller.tracks.peek().value?.tracks ?? [];
  const of = all.find((one) => one.track === track);
  if (of === undefined || of.only.length === 0) return undefined;
  const { filters } = app.view.peek();
  const rest = withoutOnly(
    filters,
    all.map(({ only }) => only),
  );
  const own = of.only.map((pattern): Filter => ({ kind: 'label_focus', pattern }));
  // Those of a thread may have that of its process among them.
  const isOn =
    filters.length - rest.length === own.length &&
    own.every(({ pattern }) =>
      filters.some((filter) => filter.kind === 'label_focus' && filter.pattern === pattern),
    );
  if (isOn) {
    return {
      label: of.kind === 'process' ? 'All processes again' : 'All threads again',
      run: () => app.update({ filters: rest }, 'push'),
    };
  }
  return {
    label: `Only ${of.kind === 'process' || of.kind === 'thread' ? 'this' : 'its'} ${of.kind === 'process' ? 'process' : 'thread'}`,
    title: 'All views show only this',
    // A second one takes the place of the first: both together would keep nothing.
    run: () => app.update({ filters: [...rest, ...own] }, 'push'),
  };
}

/** Filters without those that keep one thread or process alone. */
export function withoutOnly(
  filters: readonly Filter[],
  all: readonly (readonly string[])[],
): readonly Filter[] {
  const known = new Set(all.flat());
  return filters.filter(({ kind, pattern }) => kind !== 'label_focus' || !known.has(pattern));
}
