import type { ViewSpec } from '@hotframe/engine';
import { contentHeight, hatchPattern, Labels, PADDING, paintFlame } from '../../canvas/paint.ts';
import { mergeTraits, planPaint } from '../../canvas/paint-plan.ts';
import { readPalette } from '../../canvas/palette.ts';
import { WHOLE } from '../../canvas/viewport.ts';
import type { App } from '../../state/app.ts';
import { locate, PROGRAM, withPlace } from '../../state/nodes.ts';
import { loadScene } from '../../views/flame/source.ts';
import { calleesOf, callersOf } from '../../views/sandwich/functions.ts';
import type { MenuItem } from '../../state/commands.ts';

/** Width of exported pictures in CSS pixels, and pixels a CSS pixel of the PNG. */
const PICTURE_WIDTH = 1400;
const PICTURE_SCALE = 2;
/** Taller pictures are refused by browsers' canvases. */
const MOST_ROWS = 700;

export function exportMenu(app: App): readonly MenuItem[] {
  const item = (label: string, title: string, run: () => Promise<void>): MenuItem => ({
    label,
    title,
    run: () => {
      run().catch(app.notices.fail);
    },
  });
  return [
    ...picturesOf(app).flatMap((picture) => [
      item(`${picture.label} as SVG`, 'Text stays selectable', () => exportSvg(app, picture)),
      item(`${picture.label} as PNG`, 'A picture for a chat or a slide', () =>
        exportPng(app, picture),
      ),
    ]),
    item('Table as CSV', 'The functions, or the rows of the tree as they are unfolded; exact', () =>
      exportCsv(app),
    ),
  ];
}

/** A flame graph that can be saved. */
interface Pictured {
  readonly label: string;
  readonly spec: ViewSpec;
  /** Keys from below the whole program down to the root. */
  readonly path: readonly number[];
  /** Row 0 at the bottom. */
  readonly inverted: boolean;
}

/** What the shown view draws; the flame graph where it draws none. */
function picturesOf(app: App): readonly Pictured[] {
  const spec = app.profile.spec.value;
  if (spec === undefined) return [];
  const shape = app.profile.selection.target.value?.spec.shape;
  if (app.view.value.view === 'sandwich' && shape?.kind === 'callees') {
    return [
      { label: 'Callees', spec: calleesOf(spec, shape.key), path: [], inverted: false },
      { label: 'Callers', spec: callersOf(spec, shape.key), path: [], inverted: true },
    ];
  }
  return [{ label: 'Flame graph', spec, path: app.view.value.zoom.path, inverted: false }];
}

async function exportSvg(app: App, { spec, path }: Pictured): Promise<void> {
  const { search } = app.view.value;
  const colour = app.profile.colour.value;
  const { result } = await withPlace(
    () => locate(app.engine, spec, path),
    undefined,
    (place) =>
      app.engine.call('export_svg', {
        view: spec,
        instance: place.instance ?? null,
        root: place.node,
        width: PICTURE_WIDTH,
        dark: app.theme.shown.value !== 'light',
        colour,
        search,
      }),
  );
  app.host.save(new Blob([result.text], { type: 'image/svg+xml' }), result.file_name);
}

async function exportPng(app: App, { spec, path, inverted }: Pictured): Promise<void> {
  const summary = app.profile.summary.value;
  if (summary === undefined) return;
  const { search } = app.view.value;
  const colour = app.profile.colour.value;
  const window = {
    ...WHOLE,
    width: PICTURE_WIDTH - 2 * PADDING,
    firstRow: 0,
    rows: MOST_ROWS,
  };
  const scene = await loadScene(
    app.engine,
    { spec, path, search },
    window,
    path.length === 0 ? PROGRAM : undefined,
    new AbortController().signal,
  );
  const size = {
    width: PICTURE_WIDTH,
    height: Math.min(contentHeight(scene), MOST_ROWS * 20),
  };
  const canvas = document.createElement('canvas');
  canvas.width = size.width * PICTURE_SCALE;
  canvas.height = size.height * PICTURE_SCALE;
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return;
  const palette = readPalette(document.documentElement);
  paintFlame(context, {
    scene,
    plan: planPaint(
      scene,
      colour,
      mergeTraits(app.profile.traits.value, scene),
      app.profile.hues.value,
    ),
    palette,
    hatch: hatchPattern(context, palette),
    viewport: { ...WHOLE, top: 0 },
    size,
    scale: PICTURE_SCALE,
    inverted,
    moving: false,
    selected: undefined,
    hovered: undefined,
    lit: undefined,
    labels: new Labels(context),
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob !== null) app.host.save(blob, `${summary.title.replace(/\.(gz|zst)$/, '')}.png`);
}

async function exportCsv(app: App): Promise<void> {
  const spec = app.profile.spec.value;
  if (spec === undefined) return;
  const functions = app.profile.functionsRequest.value?.();
  if (functions !== undefined) {
    const { result } = await app.engine.call('export_functions_csv', functions);
    app.host.save(new Blob([result.text], { type: 'text/csv' }), result.file_name);
    return;
  }
  const request = app.profile.tableRequest.value?.() ?? {
    view: spec,
    instance: null,
    root: 0,
    expanded: [],
    sort: { by: 'total_value' as const, metric: spec.metric, reverse: false },
    filter: '',
    first: 0,
    count: 1_000_000,
  };
  const { result } = await app.engine.call('export_csv', request);
  app.host.save(new Blob([result.text], { type: 'text/csv' }), result.file_name);
}
