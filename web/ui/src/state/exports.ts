import type { TextResult, ViewSpec } from '@hotframe/engine';
import type { App } from './app.ts';
import { locate, withPlace } from './nodes.ts';
import { useApp } from './services.ts';
import { useShared } from './shared.ts';

/** Width of exported pictures in CSS pixels. */
export const PICTURE_WIDTH = 1400;

/** A picture that can be saved, as an SVG. */
export interface ExportedPicture {
  readonly label: string;
  draw(): Promise<TextResult>;
}

/** A table that can be saved. */
export interface ExportedTable {
  readonly label: string;
  /** One sentence for the tooltip. */
  readonly title: string;
  csv(): Promise<TextResult>;
}

/** What can be saved of the view on screen. */
export interface Exports {
  readonly pictures: readonly ExportedPicture[];
  readonly tables: readonly ExportedTable[];
  /** Whether its pictures stand in place of the page's flame graph, not before it. */
  readonly hasNoFlame?: boolean;
}

/** Offers what can be saved while a view is on screen; nothing where undefined. */
export function useExports(make: () => Exports | undefined, inputs?: readonly unknown[]): void {
  useShared(useApp().profile.exports, make, inputs);
}

/** What a chart has to save. */
export interface ChartExports {
  readonly label: string;
  /** What it draws, as an SVG. */
  picture(): string;
  /** All of its figures. */
  csv(): TextResult | Promise<TextResult>;
  /** Tables that stand beside it. */
  readonly tables?: readonly ExportedTable[];
}

/** The same of a chart. */
export function useChartExports(
  chart: () => ChartExports | undefined,
  inputs?: readonly unknown[],
): void {
  const app = useApp();
  useExports(() => {
    const made = chart();
    if (made === undefined) return undefined;
    const { label, picture, csv, tables = [] } = made;
    const title = 'All figures of all functions; exact';
    return {
      pictures: [drawnPicture(app, label, picture)],
      tables: [...tables, { label, title, csv: async () => csv() }],
    };
  }, inputs);
}

/** A picture that the page itself draws, named after what is shown. */
export function drawnPicture(app: App, label: string, draw: () => string): ExportedPicture {
  const ending = `${label.toLowerCase()}.svg`;
  return {
    label,
    draw: () => Promise.resolve({ text: draw(), file_name: fileName(app, ending) }),
  };
}

/** A flame graph of a tree; `path` has keys from below the whole program down to the root. */
export function flamePicture(
  app: App,
  label: string,
  spec: ViewSpec,
  path: readonly number[] = [],
): ExportedPicture {
  return {
    label,
    async draw() {
      const { search, labels } = app.view.value;
      const { result } = await withPlace(
        () => locate(app.engine, spec, path),
        undefined,
        (place) =>
          app.engine.call('export_svg', {
            view: spec,
            instance: place.instance ?? null,
            root: place.node,
            width: PICTURE_WIDTH,
            theme: app.theme.shown.value,
            colour: app.profile.colour.value,
            search,
            labels,
          }),
      );
      return result;
    },
  };
}

/** A file's name after what is shown. */
export function fileName(app: App, ending: string): string {
  const shown = app.documents.shown.value;
  const title = app.documents.list.value?.find(({ document }) => document === shown)?.title;
  return `${(title ?? 'profile').replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${ending}`;
}
