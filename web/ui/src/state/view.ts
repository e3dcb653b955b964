import type { SummaryResult, ViewSpec } from '@hotframe/engine';
import type { ComponentChild } from 'preact';
import type { AddressPart } from './address-part.ts';
import type { App } from './app.ts';
import type { KeyScope } from './key-bindings.ts';
import type { Sized } from './layout.ts';

/** What a profile must have for a view. */
export interface Need {
  isIn(summary: SummaryResult): boolean;
  /** What is said where a profile lacks it. */
  readonly missing: string;
}

/** What stands below a view, behind a line that can be moved. */
export interface Lower {
  /** What the line sizes: the part above it. */
  readonly part: Sized;
  readonly label: string;
  draw(spec: ViewSpec): ComponentChild;
}

/** A view of a profile. */
export interface View {
  /** What addresses call it. */
  readonly id: string;
  readonly label: string;
  /** One sentence for the tooltip. */
  readonly title: string;
  /** The chord that shows it. */
  readonly key: string;
  /** What the sheet of keys calls it; its label where undefined. */
  readonly keyTitle: string | undefined;
  /** Nothing where undefined. */
  readonly needs: Need | undefined;
  /** Whether it shows something of a profile without samples. */
  readonly showsNoSamples: boolean;
  /** Whether it is shown where none is chosen; the first in the list that suits is. */
  suits(summary: SummaryResult): boolean;
  /** Whether a narrow window has no room for it. */
  readonly wideOnly: boolean;
  /** What it has of the page's address for itself. */
  readonly state: AddressPart<unknown> | undefined;
  /** Keys of the places in it. */
  readonly keys: readonly KeyScope[];
  /** What the mouse does in it besides, and how. */
  readonly mouse: readonly (readonly [string, string])[];

  /** Whether it has the page's flame graph, whose matches, merged and hidden frames are counted. */
  readonly hasFlame: boolean;
  /** Whether that is all of the profile, so that frames are looked for in it. */
  readonly findsFrames: boolean;
  /** Whether it shows what calls the chosen function, and what that calls. */
  readonly ofFunction: boolean;
  /** Whether it has selections of its own. */
  readonly selectsApart: boolean;
  /** Whether it has a picture for each role of contexts, with a share of its own. */
  readonly byRole: boolean;
  /** Whether it is text alone, with no order of siblings and no colours. */
  readonly isText: boolean;
  /** The metrics of its pictures. */
  metrics(app: App): readonly number[];
  /** Whether it shows a tree now, which has a shape and recursion. */
  isTree(app: App): boolean;
  /** Whether the page's colours are its colours now. */
  hasColours(app: App): boolean;
  /** Whether small and deep frames are left out of it now. */
  prunes(app: App): boolean;
  /** Whether it shows all open profiles now. */
  showsAllProfiles(app: App): boolean;

  /** The picture. Two views that draw the same component keep it when one follows the other. */
  draw(spec: ViewSpec): ComponentChild;
  readonly lower: Lower | undefined;
}

type Essential = 'id' | 'label' | 'title' | 'key' | 'draw';

/** A view with what it says of itself; the rest is as of a chart with colours of the whole profile. */
export function defineView(own: Pick<View, Essential> & Partial<Omit<View, Essential>>): View {
  return {
    keyTitle: undefined,
    needs: undefined,
    showsNoSamples: false,
    suits: () => false,
    wideOnly: false,
    state: undefined,
    keys: [],
    mouse: [],
    hasFlame: false,
    findsFrames: false,
    ofFunction: false,
    selectsApart: false,
    byRole: false,
    isText: false,
    metrics: (app) => [app.profile.metric.value],
    isTree: () => true,
    hasColours: () => own.isText !== true,
    prunes: () => own.hasFlame === true,
    showsAllProfiles: () => false,
    lower: undefined,
    ...own,
  };
}

/** The views that show something of a profile. */
export function fittingViews(
  views: readonly View[],
  summary: SummaryResult | undefined,
): readonly View[] {
  return views.filter(
    (view) => hasNeeds(view, summary) && (summary?.points !== 0 || view.showsNoSamples),
  );
}

/** The view on screen: the chosen one, where the profile has it; else the first that suits. */
export function shownViewOf(
  views: readonly View[],
  id: string | undefined,
  summary: SummaryResult | undefined,
): View {
  const fitting = fittingViews(views, summary);
  // A profile that has nothing to show says so in any view.
  const known = fitting.length > 0 ? fitting : views.filter((view) => hasNeeds(view, summary));
  const chosen = known.find((view) => view.id === id);
  const suiting = known.find((view) => summary !== undefined && view.suits(summary));
  return chosen ?? suiting ?? frameView(views);
}

/** The view that frames are looked for in: the shown one if it can be, else the first that can. */
export function frameView(views: readonly View[], shown?: View): View {
  return shown?.findsFrames === true ? shown : views.find((view) => view.findsFrames)!;
}

export function hasNeeds({ needs }: View, summary: SummaryResult | undefined): boolean {
  return needs === undefined || (summary !== undefined && needs.isIn(summary));
}
