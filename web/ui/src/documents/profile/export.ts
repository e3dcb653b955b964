import type { TextResult, ViewSpec } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { shownView } from '../../state/linked.ts';
import { locate, withPlace } from '../../state/nodes.ts';
import { canPrune } from '../../state/pruning.ts';
import { calleesOf, callersOf } from '../../state/nodes.ts';
import type { MenuItem } from '../../state/commands.ts';
import type { ChartTable, MainProcessors } from '../../state/profile/profile.ts';

/** Width of exported pictures in CSS pixels, and pixels a CSS pixel of the PNG. */
const PICTURE_WIDTH = 1400;
const PICTURE_SCALE = 2;
/** Beside the tracks of a picture stand their names. */
const TRACK_NAMES = 186;
/** Browsers have no taller canvases. */
const MOST_PIXELS = 32_000;
/** Smaller texts cannot be read. */
const LEAST_SCALE = 0.75;

export function exportMenu(app: App): readonly MenuItem[] {
  const item = (label: string, title: string, run: () => Promise<void>): MenuItem => ({
    label,
    title,
    run: () => {
      run().catch(app.notices.fail);
    },
  });
  const chart = app.profile.chart.value;
  const isPruned =
    app.profile.pruned.value !== undefined && canPrune(shownView(app), app.view.value);
  const whole = isPruned ? '; with what is hidden here' : '';
  return [
    ...picturesOf(app).flatMap((picture) => [
      item(`${picture.label} as SVG`, `Text stays selectable${whole}`, () =>
        exportSvg(app, picture),
      ),
      item(`${picture.label} as PNG`, `A picture for a chat or a slide${whole}`, () =>
        exportPng(app, picture),
      ),
    ]),
    ...(shownView(app) === 'timeline'
      ? [
          item('Spans as CSV', 'All spans that the filters keep, with their arguments; exact', () =>
            exportSpans(app),
          ),
        ]
      : []),
    ...(shownView(app) === 'processors'
      ? [
          item('Events as CSV', 'Every event and metric, by set of runs', () =>
            saveCsv(app, 'events', (shown) => shown.eventsCsv()),
          ),
          item('Over time as CSV', 'What is drawn over time, a row a bin', () =>
            saveCsv(app, 'over-time', (shown) => shown.binsCsv()),
          ),
        ]
      : []),
    ...(chart === undefined
      ? []
      : [
          ...(chart.tables ?? []).map((table) =>
            item(`${table.label} as CSV`, 'All of its figures; exact', () => chartCsv(app, table)),
          ),
          item(`${chart.label} as CSV`, 'All figures of all functions; exact', () =>
            chartCsv(app, chart),
          ),
        ]),
    ...(app.profile.summary.value?.metrics.length === 0
      ? []
      : [
          item(
            'Table as CSV',
            `The functions, or the rows of the tree as they are unfolded; exact${whole}`,
            () => exportCsv(app),
          ),
        ]),
  ];
}

/** A picture that can be saved. */
interface Pictured {
  readonly label: string;
  readonly draw: () => Promise<TextResult>;
}

/** A flame graph. */
interface Flame {
  readonly spec: ViewSpec;
  /** Keys from below the whole program down to the root. */
  readonly path: readonly number[];
}

/** What the shown view draws; the flame graph where it draws none. */
function picturesOf(app: App): readonly Pictured[] {
  const spec = app.profile.spec.value;
  if (spec === undefined) return [];
  const shape = app.profile.selection.target.value?.spec.shape;
  if (shownView(app) === 'sandwich' && shape?.kind === 'callees') {
    return [
      { label: 'Callees', draw: () => flame(app, { spec: calleesOf(spec, shape.key), path: [] }) },
      { label: 'Callers', draw: () => flame(app, { spec: callersOf(spec, shape.key), path: [] }) },
    ];
  }
  const { path } = app.view.value.zoom;
  const flames =
    app.profile.summary.value?.points === 0
      ? []
      : [{ label: 'Flame graph', draw: () => flame(app, { spec, path }) }];
  const processors = app.profile.processors.value;
  if (shownView(app) === 'processors' && processors !== undefined) {
    const draw = () =>
      Promise.resolve({ text: processors.picture(), file_name: named(app, 'processors.svg') });
    return [{ label: 'Processors', draw }, ...flames];
  }
  const chart = app.profile.chart.value;
  if (chart !== undefined) {
    const name = `${chart.label.toLowerCase()}.svg`;
    const draw = () => Promise.resolve({ text: chart.picture(), file_name: named(app, name) });
    return [{ label: chart.label, draw }, ...flames];
  }
  if (shownView(app) !== 'timeline') return flames;
  return [{ label: 'Timeline', draw: () => timeline(app, spec) }, ...flames];
}

/** The tracks that are shown, one below the other, in the part of time that is in sight. */
async function timeline(app: App, view: ViewSpec): Promise<TextResult> {
  const shown = app.profile.timeline.peek()?.shown();
  if (shown === undefined) throw new Error('The timeline is not there yet.');
  const { from, to, tracks, upwards } = shown;
  const { result } = await app.engine.call('export_timeline_svg', {
    lanes: {
      view,
      from,
      to,
      width: PICTURE_WIDTH - TRACK_NAMES,
      tracks: [...tracks],
      search: app.view.value.search,
    },
    theme: app.theme.shown.value,
    colour: app.profile.colour.value,
    upwards,
  });
  return result;
}

async function flame(app: App, { spec, path }: Flame): Promise<TextResult> {
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
}

const asFile = ({ text }: TextResult) => new Blob([text], { type: 'image/svg+xml' });

async function exportSvg(app: App, picture: Pictured): Promise<void> {
  const result = await picture.draw();
  app.host.save(asFile(result), result.file_name);
}

/** The same picture in pixels. */
async function exportPng(app: App, picture: Pictured): Promise<void> {
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

/** A file's name after what is shown. */
function named(app: App, ending: string): string {
  const title =
    app.documents.list.value?.find((one) => one.document === app.documents.shown.value)?.title ??
    'profile';
  return `${title.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${ending}`;
}

function saveCsv(app: App, what: string, text: (shown: MainProcessors) => string): Promise<void> {
  const shown = app.profile.processors.value;
  if (shown !== undefined)
    app.host.save(new Blob([text(shown)], { type: 'text/csv' }), named(app, `${what}.csv`));
  return Promise.resolve();
}

async function chartCsv(app: App, chart: ChartTable): Promise<void> {
  const { text, file_name } = await chart.csv();
  app.host.save(new Blob([text], { type: 'text/csv' }), file_name);
}

async function exportSpans(app: App): Promise<void> {
  const view = app.profile.spec.value;
  if (view === undefined) return;
  const { result } = await app.engine.call('export_spans_csv', { view });
  app.host.save(new Blob([result.text], { type: 'text/csv' }), result.file_name);
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
