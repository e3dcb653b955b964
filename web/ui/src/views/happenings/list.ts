import type { Engine, RowName, TimePlace, ViewSpec } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { Actions } from './actions.ts';
import type { Picture } from './picture.ts';

/** What the page knows of a list beside its table. */
export interface List {
  /** What the class of a swatch begins with, where rows have kinds. */
  readonly swatches?: string;
  /** What stands above the rows. */
  picture?(asking: Asking, filter: string): Promise<Picture | undefined> | Picture | undefined;
  /** What can be done with a row besides what its name and its place allow. */
  actions?(app: App, place: TimePlace, actions: Actions): Actions;
}

/** What answers, and for whom. */
export interface Asking {
  readonly app: App;
  readonly engine: Engine;
  readonly signal: AbortSignal;
  readonly view: ViewSpec;
  /** The span whose critical path is listed; the longest where null. */
  readonly span: number | null;
}

/** A column of a list. */
export interface Column {
  /** What the engine sorts by; undefined where nothing is sorted by it. */
  readonly by: string | undefined;
  readonly label: string;
  readonly title: string;
  /** Begins with the first and not with the largest. */
  readonly rises: boolean;
  /** Words, not numbers. */
  readonly isText: boolean;
}

/** A row of any list. */
export interface Row {
  /** Tells it from the others, also when it is asked for again. */
  readonly id: string;
  readonly name: RowName;
  /** The class of its swatch, where that has one of its own. */
  readonly swatch: string | undefined;
  readonly cells: readonly string[];
  readonly actions: Actions;
}

export interface Rows {
  /** The column of names. */
  readonly name: Column;
  /** The others. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly total: number;
  /** What a row is. */
  readonly noun: string;
  readonly sort: Sorted;
  /** What is to be known of all of them. */
  readonly notes: readonly string[];
  readonly picture: Picture | undefined;
}

export interface Sorted {
  /** Undefined for an order of the list's own. */
  readonly by: string | undefined;
  readonly reverse: boolean;
}

/** Four digits of a length. */
export function fine(length: number): number {
  return 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, length))) - 3);
}
