import type { ListKind, StateKind } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import type { List } from './list.ts';

/** What the page draws of some lists beside their tables. The engine tells all else, see `ListInfo`. */
export const LISTS: Readonly<Partial<Record<ListKind, List>>> = {
  span_changes: {
    picture({ app, view }) {
      const metric = comparedMetric(app.profile.summary.peek(), view.metric)?.metric;
      return metric && { kind: 'changes', view, metric };
    },
  },
  concurrency: { picture: ({ view }) => ({ kind: 'concurrency', view }) },
  thread_states: {
    swatches: 'state',
    async picture({ engine, signal, view }, filter) {
      const { result } = await engine.call('thread_bars', { view, filter }, { signal });
      return { kind: 'states', threads: result.threads, all: result.total };
    },
    actions(app, { track }, actions) {
      if (track === null) return actions;
      const run = () => app.profile.timeline.peek()?.showTrack(track);
      const thread = { label: 'thread', title: 'To the thread', run };
      return { ...actions, show: thread, other: actions.show };
    },
  },
  critical_path: {
    swatches: 'path',
    async picture({ app, engine, signal, view, span }) {
      const params = { view, span };
      const { result, columns } = await engine.call('critical_path', params, { signal });
      app.profile.path.value = columns;
      if (result.span === null) return undefined;
      const { stretches } = result;
      const drawn = columns.track.length;
      return { kind: 'path', span: result.span, isChosen: span !== null, stretches, drawn };
    },
  },
};

/** What kinds of states are called. */
export const STATE_NAMES: Readonly<Record<StateKind, string>> = {
  running: 'running',
  runnable: 'runnable',
  waiting: 'waiting',
  blocked: 'blocked in an event',
  off_processor: 'off processor',
  not_measured: 'not measured',
};
