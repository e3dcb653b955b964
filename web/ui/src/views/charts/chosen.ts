import type { App } from '../../state/app.ts';

/** Chooses a function, everywhere, in the place of what was selected; none where undefined. */
export function pickFunction(app: App, key: number | undefined): void {
  app.update({ fn: key, selection: [] }, 'replace');
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
export function letGo(app: App): void {
  if (app.view.peek().fns.length > 0) chooseFunctions(app, []);
  else pickFunction(app, undefined);
}

/**
 * The functions that stand out in charts: those that were chosen together, else those that the search
 * finds (the largest of them); all where undefined.
 */
export function standingOut(app: App): ReadonlySet<number> | undefined {
  const { fns, search } = app.view.value;
  if (fns.length > 0) return new Set(fns);
  const found = app.profile.search.value.value;
  if (search === '' || found === undefined) return undefined;
  return new Set(found.result.top.map(({ key }) => key));
}
