import { contentHeight, hatchPattern, Labels, PADDING, paintFlame } from '../../canvas/paint.ts';
import { mergeTraits, planPaint } from '../../canvas/paint-plan.ts';
import { readPalette } from '../../canvas/palette.ts';
import { WHOLE } from '../../canvas/viewport.ts';
import type { App } from '../../state/app.ts';
import { locate, PROGRAM, withPlace } from '../../state/nodes.ts';
import { loadScene } from '../../views/flame/source.ts';
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
    item('Flame graph as SVG', 'Text stays selectable', () => exportSvg(app)),
    item('Flame graph as PNG', 'A picture for a chat or a slide', () => exportPng(app)),
    item('Table as CSV', 'The rows as they are unfolded, all metrics', () => exportCsv(app)),
  ];
}

async function exportSvg(app: App): Promise<void> {
  const spec = app.profile.spec.value;
  if (spec === undefined) return;
  const { zoom, search } = app.view.value;
  const colour = app.profile.colour.value;
  const { result } = await withPlace(
    () => locate(app.engine, spec, zoom.path),
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

async function exportPng(app: App): Promise<void> {
  const spec = app.profile.spec.value;
  const summary = app.profile.summary.value;
  if (spec === undefined || summary === undefined) return;
  const { zoom, search } = app.view.value;
  const colour = app.profile.colour.value;
  const window = {
    ...WHOLE,
    width: PICTURE_WIDTH - 2 * PADDING,
    firstRow: 0,
    rows: MOST_ROWS,
  };
  const scene = await loadScene(
    app.engine,
    { spec, path: zoom.path, search },
    window,
    zoom.path.length === 0 ? PROGRAM : undefined,
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
    inverted: false,
    moving: false,
    selected: undefined,
    hovered: undefined,
    labels: new Labels(context),
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob !== null) app.host.save(blob, `${summary.title.replace(/\.(gz|zst)$/, '')}.png`);
}

async function exportCsv(app: App): Promise<void> {
  const spec = app.profile.spec.value;
  if (spec === undefined) return;
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
