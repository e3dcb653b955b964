import type { ComparedMetric, PathSpan, ThreadBar, ViewSpec } from '@hotframe/engine';

/** What stands above the rows of a list. */
export type Picture =
  | {
      readonly kind: 'states';
      readonly threads: readonly ThreadBar[];
      /** How many threads there are. */
      readonly all: number;
    }
  | {
      readonly kind: 'concurrency';
      readonly view: ViewSpec;
    }
  | {
      readonly kind: 'changes';
      readonly view: ViewSpec;
      readonly metric: ComparedMetric;
    }
  | {
      readonly kind: 'path';
      readonly span: PathSpan;
      /** Whether you chose the span: it is the longest otherwise. */
      readonly isChosen: boolean;
      readonly stretches: number;
      /** How many of them are drawn in the timeline. */
      readonly drawn: number;
    };
