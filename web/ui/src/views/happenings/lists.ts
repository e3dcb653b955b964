import type { Below } from '../../state/timeline-view.ts';
import { CHANGES } from './changes.ts';
import { CONCURRENCY } from './concurrency.ts';
import { GAPS } from './gaps.ts';
import type { List } from './list.ts';
import { MARKS } from './marks.ts';
import { PATH } from './path.ts';
import { SPANS } from './spans.ts';
import { STATES } from './states.ts';

/** What is listed below the timeline. */
export type Listed = Exclude<Below, 'flame'>;

export const LISTS: Readonly<Record<Listed, List>> = {
  changes: CHANGES,
  spans: SPANS,
  marks: MARKS,
  gaps: GAPS,
  concurrency: CONCURRENCY,
  states: STATES,
  path: PATH,
};
