import type {
  ExperimentEffectsResult,
  ExperimentHistoryResult,
  ExperimentMatrixResult,
  ExperimentResult,
} from '@hotframe/engine';
import { changeState } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { EXPERIMENT_PART, type ExperimentViewState } from './state.ts';

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
  changeState(app, EXPERIMENT_PART, { ...change }, step);
}
