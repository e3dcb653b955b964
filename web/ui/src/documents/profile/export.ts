import type { TextResult, ViewSpec } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';
import { type ExportedPicture, type ExportedTable, flamePicture } from '../../state/exports.ts';

/** Pixels a CSS pixel of a PNG. */
const PICTURE_SCALE = 2;
/** Browsers have no taller canvases. */
const MOST_PIXELS = 32_000;
/** Smaller texts cannot be read. */
const LEAST_SCALE = 0.75;

/** What the view on screen has to save, with the flame graph and the table of any profile. */
export function exportMenu(app: App): readonly MenuItem[] {
  const { spec, summary, exports, pruned, shownView } = app.profile;
  const { pictures = [], tables = [], hasNoFlame = false } = exports.value ?? {};
  const view = spec.value;
  const isPruned = pruned.value !== undefined && shownView.value.prunes(app);
  const whole = isPruned ? '; with what is hidden here' : '';
  const item = (label: string, title: string, run: () => Promise<void>): MenuItem => ({
    label,
    title,
    run: () => {
      run().catch(app.notices.fail);
    },
  });
  const flames: ExportedPicture[] =
    view === undefined || hasNoFlame || summary.value?.points === 0
      ? []
      : [flamePicture(app, 'Flame graph', view, app.view.value.zoom.path)];
  const rows: ExportedTable[] =
    view === undefined || summary.value?.metrics.length === 0
      ? []
      : [
          {
            label: 'Table',
            title: `The functions, or the rows of the tree as they are unfolded; exact${whole}`,
            csv: () => tableCsv(app, view),
          },
        ];
  return [
    ...[...pictures, ...flames].flatMap((picture) => [
      item(`${picture.label} as SVG`, `Text stays selectable${whole}`, () =>
        exportSvg(app, picture),
      ),
      item(`${picture.label} as PNG`, `A picture for a chat or a slide${whole}`, () =>
        exportPng(app, picture),
      ),
    ]),
    ...[...tables, ...rows].map((table) =>
      item(`${table.label} as CSV`, table.title, async () => {
        const { text, file_name } = await table.csv();
        app.host.save(new Blob([text], { type: 'text/csv' }), file_name);
      }),
    ),
  ];
}

const asFile = ({ text }: TextResult) => new Blob([text], { type: 'image/svg+xml' });

async function exportSvg(app: App, picture: ExportedPicture): Promise<void> {
  const result = await picture.draw();
  app.host.save(asFile(result), result.file_name);
}

/** The same picture in pixels. */
async function exportPng(app: App, picture: ExportedPicture): Promise<void> {
  const result = await picture.draw();
  const address = URL.createObjectURL(asFile(result));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(PICTURE_SCALE, MOST_PIXELS / image.naturalHeight);
    if (scale < LEAST_SCALE) {
      throw new Error('The picture is too tall for a PNG: save it as SVG, or zoom in first.');
    }
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('The browser could not make a PNG: save it as SVG.');
    app.host.save(blob, result.file_name.replace(/\.svg$/, '.png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The functions, or the rows of the tree. */
async function tableCsv(app: App, spec: ViewSpec): Promise<TextResult> {
  const functions = app.profile.functionsRequest.value?.();
  if (functions !== undefined) {
    const { result } = await app.engine.call('export_functions_csv', functions);
    return result;
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
  return result;
}
