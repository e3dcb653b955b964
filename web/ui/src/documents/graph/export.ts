import type { App } from '../../state/app.ts';
import { fit } from '../../views/graph/camera.ts';
import { rectsOf } from '../../views/graph/fold-motion.ts';
import { readFonts } from '../../views/graph/brush.ts';
import { paintGraph } from '../../views/graph/paint.ts';
import { readGraphPalette } from '../../views/graph/palette.ts';
import type { MenuItem } from '../../state/commands.ts';

/** Largest sides of exported pictures in pixels; larger canvases are refused by browsers. */
const MOST_PIXELS = 8000;
const MARGIN = 24;
/** Texts cannot be read in pictures with fewer pixels a view unit. */
const READABLE = 0.6;
/** Width of a picture in percent of its height, about: three to two. */
const PAGE = 150;

export function exportMenu(app: App): readonly MenuItem[] {
  const item = (label: string, title: string, run: () => Promise<void>): MenuItem => ({
    label,
    title,
    run: () => {
      run().catch(app.notices.fail);
    },
  });
  return [
    item('Graph as SVG', 'All of the drawing; text stays selectable', () => exportSvg(app)),
    item('Graph as PNG', 'All of the drawing as a picture', () => exportPng(app)),
  ];
}

async function exportSvg(app: App): Promise<void> {
  const view = app.graph.spec.value;
  const show = app.graph.show.value;
  if (view === undefined || show === undefined) return;
  const dark = app.theme.shown.value === 'dark' || app.theme.shown.value === 'contrast';
  const params = { view: { ...view, aspect: PAGE }, show, dark };
  const { result } = await app.engine.call('graph_svg', params);
  app.host.save(new Blob([result.text], { type: 'image/svg+xml' }), result.file_name);
}

async function exportPng(app: App): Promise<void> {
  const scene = app.graph.scene.value;
  const title = app.graph.summary.value?.title;
  if (scene === undefined || title === undefined) return;
  const { width, height } = scene.drawing.result;
  const scale = Math.min(2, MOST_PIXELS / (Math.max(width, height) + 2 * MARGIN));
  const size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return;
  paintGraph(context, {
    scene,
    rects: rectsOf(scene.drawing),
    settled: 1,
    camera: fit({ x: 0, y: 0, width, height }, size, MARGIN, 1),
    size,
    scale,
    palette: readGraphPalette(document.documentElement),
    fonts: readFonts(context, document.documentElement),
    selected: undefined,
    hovered: undefined,
    matches: new Set(),
    summed: new Set(),
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (scale < READABLE)
    app.notices.notice.value = 'Texts of a drawing this large are readable as SVG only.';
  if (blob !== null) app.host.save(blob, `${title.replace(/\.sdfgz?$/, '')}.png`);
}
