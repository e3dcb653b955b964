import type {
  ExperimentEffectsResult,
  ExperimentHistoryResult,
  ExperimentMatrixResult,
  ExperimentResult,
} from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { ExperimentViewState } from '../../state/experiment-view.ts';

/** An experiment, and a quantity in its cells. */
export interface Measured {
  readonly experiment: ExperimentResult;
  readonly matrix: ExperimentMatrixResult;
}

export type Effects = ExperimentEffectsResult;
export type History = ExperimentHistoryResult;

/** Shows something else of an experiment. */
export function updateExperiment(
  app: App,
  change: Partial<ExperimentViewState>,
  step: 'push' | 'replace' = 'push',
): void {
  app.update({ experiment: { ...app.view.peek().experiment, ...change } }, step);
}
