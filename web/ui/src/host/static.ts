import { workerTransport } from '@hotframe/engine';
import EngineWorker from '@hotframe/engine/worker?worker&inline';
import type { Host } from '../state/host.ts';
import { hashAddress, save } from './browser.ts';
import { compressedPart } from './parts.ts';
import { aboutOf, openingOf, reportOf, viewOf } from './report.ts';
import { createViewer } from './viewer.ts';
import { editorAround } from './web-panel.ts';
import { followTheme, isInVsCode } from './webview.ts';

/**
 * Where the page holds its engine: the build writes it there. What that leaves out is in the whole one,
 * which stands behind the script: it comes while the page is there already. Reports have one of them.
 */
const ENGINE = 'hotframe-engine';
const WHOLE_ENGINE = 'hotframe-whole-engine';

/** A page that has its engine inside: files are read where they are, and nothing answers elsewhere. */
export function staticHost(page: Window): Host {
  const { document } = page;
  const module = async (id: string) => WebAssembly.compile(await compressedPart(document, id));
  const whole = async () => {
    await parsed(document);
    return module(WHOLE_ENGINE);
  };
  const report = reportOf(document);
  const viewerOf = createViewer(document);
  const viewer = async () => {
    await parsed(document);
    return viewerOf([ENGINE, WHOLE_ENGINE]);
  };
  // A report is all there when this runs, and a page without documents comes on.
  const hasWhole = report === undefined || document.getElementById(WHOLE_ENGINE) !== null;
  const first = report && openingOf(document, report);
  const address = hashAddress(page);
  if (report !== undefined && address.read() === '') address.write(viewOf(report), 'replace');
  return {
    window: page,
    connect: workerTransport({
      start: () => new EngineWorker(),
      module: module(ENGINE),
      whole: hasWhole ? whole : undefined,
      id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
      first,
    }),
    admitted: () => Promise.resolve(true),
    address,
    store: stored(() => page.localStorage),
    tab: stored(() => page.sessionStorage),
    // In the web's VS Code this page is a panel of a file.
    theme: isInVsCode(document.body) ? followTheme(document.body) : undefined,
    editor: undefined,
    sources: editorAround(page),
    // Scripts ask for what the first engine leaves out; a report with Python has the whole one in its place.
    python: async () => {
      await parsed(document);
      const engine = hasWhole ? WHOLE_ENGINE : ENGINE;
      return (await import('./python.ts')).insidePython(page, engine, report !== undefined);
    },
    makesReports: report === undefined,
    // A report is a file already, and may have an engine that writes none.
    viewer: report === undefined ? viewer : undefined,
    report: report && aboutOf(report),
    save: (blob, name) => save(page.document, blob, name),
  };
}

/** Waits until all of the page is there. */
async function parsed(document: Document): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
}

/** Pages of files may not have what browsers store for them. */
function stored(storage: () => Storage): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return storage();
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    };
  }
}
