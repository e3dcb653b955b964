import type { Engine, ScatterParams, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal } from '@preact/signals';
import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { distinct } from '../../state/distinct.ts';
import { answers } from '../../state/resource.ts';
import { chooseFunctions, pickFunction } from '../charts/chosen.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { type Mark, type ScatterScene, sceneOf } from './marks.ts';

/** Most functions that are drawn: more than that are a cloud, and slow. */
const MOST_MARKS = 2000;

/** What a scatter shows, and which of its functions are chosen. */
export interface Scatter {
  readonly answer: ReturnType<typeof load>['state'];
  readonly scene: ReadonlySignal<ScatterScene | undefined>;
  /** The mark of the chosen function. */
  readonly cursor: ReadonlySignal<Mark | undefined>;
  /** The functions that were chosen together. */
  readonly chosen: ReadonlySignal<ReadonlySet<number>>;
  /** Chooses a function, everywhere. */
  pick(mark: Mark | undefined): void;
  /** Chooses functions together. */
  choose(keys: readonly number[]): void;
  dispose(): void;
}

function load(engine: Engine, input: ReadonlySignal<ScatterParams>) {
  return answers(engine, 'scatter', input);
}

export function createScatter(app: App, spec: ReadonlySignal<ViewSpec>): Scatter {
  const input = distinct((): ScatterParams => {
    const { shape: _, ...view } = spec.value;
    const { of } = stateOf(app.view.value, CHARTS_PART);
    return { view: { ...view, shape: { kind: 'top_down' } }, of, most: MOST_MARKS };
  });
  const { state, dispose } = load(app.engine, input);
  const scene = computed(() => {
    const answer = state.value.value;
    return answer && sceneOf(answer);
  });
  const cursor = computed(() => {
    const { fn } = app.view.value;
    return scene.value?.marks.find(({ info }) => info.key === fn);
  });
  return {
    answer: state,
    scene,
    cursor,
    chosen: computed(() => new Set(app.view.value.fns)),
    pick: (mark) => pickFunction(app, mark?.info.key),
    choose: (keys) => chooseFunctions(app, keys),
    dispose,
  };
}
