import type { Engine, ViewSpec } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { Actions } from './actions.ts';
import type { Picture } from './picture.ts';

/** A column of a list. */
export interface Column {
  /** What the engine sorts by; undefined where nothing is sorted by it. */
  readonly by: string | undefined;
  readonly label: string;
  readonly title: string;
  /** Begins with the first and not with the largest. */
  readonly rises?: boolean;
  /** Words, not numbers. */
  readonly isText?: boolean;
}

/** A row of any list. */
export interface Row {
  /** Tells it from the others, also when it is asked for again. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly note: string;
  /** What the colour of its spans is decided from. */
  readonly colours: number | undefined;
  /** The class of its swatch, where that has one of its own. */
  readonly swatch?: string;
  readonly cells: readonly string[];
  readonly actions: Actions;
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly total: number;
  /** What is to be known of all of them. */
  readonly notes: readonly string[];
  /** What stands above the rows. */
  readonly picture?: Picture;
}

export interface Sorted {
  readonly by: string;
  readonly reverse: boolean;
}

/** What the rows of a list are asked for with. */
export interface Asked {
  readonly view: ViewSpec;
  readonly filter: string;
  readonly reverse: boolean;
  readonly limit: number;
}

/** What answers, and for whom. */
export interface Asking {
  readonly app: App;
  readonly engine: Engine;
  readonly signal: AbortSignal;
  /** The first time of all, in nanoseconds after the start of the profile. */
  readonly origin: number;
}

/** A list of what happened when. */
export interface List {
  readonly label: string;
  /** The column of names. */
  readonly name: string;
  /** What is counted, and how its texts are narrowed. */
  readonly thing: string;
  readonly filter: string;
  readonly columns: readonly Column[];
  readonly standard: Sorted;
  /** What the menu of a row is called. */
  readonly menu: string;
  /** Why there may be none. */
  readonly empty: string;
  load(asking: Asking, asked: Asked, by: string): Promise<Rows>;
}

/** Four digits of a length. */
export function fine(length: number): number {
  return 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, length))) - 3);
}
