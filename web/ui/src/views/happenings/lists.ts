import type { ListKind, StateKind } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import type { List } from './list.ts';

/** What is listed below the timeline: everything but the tracks, which it shows itself. */
export type Listed = Exclude<ListKind, 'tracks'>;

/** The lists, in the order of their tabs. */
export const LISTS: Readonly<Record<Listed, List>> = {
  span_changes: {
    label: 'Changes',
    title: 'Spans by name in base and new profile',
    applies: ({ hasSpans, isComparison }) => hasSpans && isComparison,
    filter: 'Filter spans',
    menu: 'Spans of a name',
    empty: 'The filters keep no spans.',
    picture({ app, view }) {
      const metric = comparedMetric(app.profile.summary.peek(), view.metric)?.metric;
      return metric && { kind: 'changes', view, metric };
    },
  },
  spans: {
    label: 'Spans',
    title: 'Spans by name: how many, and how long',
    // Those of both sides do not add up to anything.
    applies: ({ hasSpans, isComparison }) => hasSpans && !isComparison,
    filter: 'Filter spans',
    menu: 'Spans of a name',
    empty: 'The filters keep no spans.',
  },
  longest_spans: {
    label: 'Longest spans',
    title: 'Single spans, the longest first',
    applies: ({ hasSpans }) => hasSpans,
    filter: 'Filter spans',
    menu: 'Span',
    empty: 'The filters keep no spans.',
  },
  marks: {
    label: 'Marks',
    title: 'Instants by kind',
    applies: ({ hasMarks }) => hasMarks,
    filter: 'Filter marks',
    menu: 'Marks of a kind',
    empty: 'The filters keep no marks.',
  },
  gaps: {
    label: 'Gaps',
    title: 'The time between spans of a name',
    applies: ({ hasSpans }) => hasSpans,
    filter: 'Filter gaps',
    menu: 'Gaps between spans of a name',
    empty:
      'No name has two spans on one track with time between them, of what the filters keep; gaps that a range cuts do not count.',
  },
  concurrency: {
    label: 'Concurrency',
    title: 'How many there were at once',
    applies: ({ hasSpans }) => hasSpans,
    filter: 'Filter by name',
    menu: 'What was open at once',
    empty: 'The filters keep no span that lasts.',
    picture: ({ view }) => ({ kind: 'concurrency', view }),
  },
  thread_states: {
    label: 'States',
    title: 'When threads ran, could run and waited',
    applies: ({ hasStates }) => hasStates,
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
  critical_path: {
    label: 'Critical path',
    title: 'What a span waited for',
    applies: ({ hasSpans }) => hasSpans,
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

/** Their names, as addresses have them. */
export const LISTED = Object.keys(LISTS) as readonly Listed[];

/** What kinds of states are called. */
export const STATE_NAMES: Readonly<Record<StateKind, string>> = {
  running: 'running',
  runnable: 'runnable',
  waiting: 'waiting',
  blocked: 'blocked in an event',
  off_processor: 'off processor',
  not_measured: 'not measured',
};
