import type { ViewSpec } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { calleesOf } from '../sandwich/functions.ts';

/** Chooses a function, everywhere; none where undefined. */
export function pickFunction(app: App, spec: ViewSpec, key: number | undefined): void {
  app.update({ fn: key, ...(key === undefined && { selection: [] }) }, 'replace');
  const place = { instance: undefined, node: 0, nodes: [] };
  app.profile.selection.pick(
    key === undefined ? undefined : { spec: calleesOf(spec, key), place, path: [] },
  );
}

/** Chooses functions together. */
export function chooseFunctions(app: App, keys: readonly number[]): void {
  app.update({ fns: keys }, 'push');
}

/** Takes a function to the others, or lets it go. */
export function toggleFunction(app: App, key: number): void {
  const { fns } = app.view.peek();
  const others = fns.filter((one) => one !== key);
  chooseFunctions(app, others.length < fns.length ? others : [...fns, key]);
}

/** Lets go of what is chosen together, else of the chosen function. */
export function letGo(app: App, spec: ViewSpec): void {
  if (app.view.peek().fns.length > 0) chooseFunctions(app, []);
  else pickFunction(app, spec, undefined);
}
