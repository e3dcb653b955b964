import type { StateKind } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import type { Below } from '../timeline/state.ts';
import type { List } from './list.ts';

/** What is listed below the timeline. */
export type Listed = Exclude<Below, 'flame'>;

export const LISTS: Readonly<Record<Listed, List>> = {
  changes: {
    kind: 'span_changes',
    label: 'Changes',
    filter: 'Filter spans',
    menu: 'Spans of a name',
    empty: 'The filters keep no spans.',
    picture({ app, view }) {
      const metric = comparedMetric(app.profile.summary.peek(), view.metric)?.metric;
      return metric && { kind: 'changes', view, metric };
    },
  },
  spans: {
    kind: 'spans',
    label: 'Spans',
    filter: 'Filter spans',
    menu: 'Spans of a name',
    empty: 'The filters keep no spans.',
  },
  longest: {
    kind: 'longest_spans',
    label: 'Longest spans',
    filter: 'Filter spans',
    menu: 'Span',
    empty: 'The filters keep no spans.',
  },
  marks: {
    kind: 'marks',
    label: 'Marks',
    filter: 'Filter marks',
    menu: 'Marks of a kind',
    empty: 'The filters keep no marks.',
  },
  gaps: {
    kind: 'gaps',
    label: 'Gaps',
    filter: 'Filter gaps',
    menu: 'Gaps between spans of a name',
    empty:
      'No name has two spans on one track with time between them, of what the filters keep; gaps that a range cuts do not count.',
  },
  concurrency: {
    kind: 'concurrency',
    label: 'Concurrency',
    filter: 'Filter by name',
    menu: 'What was open at once',
    empty: 'The filters keep no span that lasts.',
    picture: ({ view }) => ({ kind: 'concurrency', view }),
  },
  states: {
    kind: 'thread_states',
    label: 'States',
    filter: 'Filter by thread or state',
    menu: 'State of a thread',
    empty:
      'No thread states: the recording has no context switches and no waits, or the filters keep none.',
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
  path: {
    kind: 'critical_path',
    label: 'Critical path',
    filter: 'Filter by name or track',
    menu: 'Piece of the critical path',
    empty: 'The filters keep no span whose path could be followed.',
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
