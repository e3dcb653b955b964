import type { App } from '../state/app.ts';
import { type KeyScope, PAGE_KEYS } from '../state/key-bindings.ts';
import { type Part, part } from '../widgets/lazy.tsx';
import type { DocumentPage } from './kind.ts';
import { profilePage } from './profile/page.tsx';

const graph = part(async () => (await import('./graph/page.tsx')).graphPage);
const accesses = part(async () => (await import('./accesses/page.tsx')).accessesPage);
const runs = part(async () => (await import('./runs/page.tsx')).runsPage);

/** The page of each kind of documents beside profiles, by the engine's name for the kind. */
const PAGES: Readonly<Record<string, Part<DocumentPage>>> = { graph, accesses };

/** What was asked for. */
const asked = new WeakSet<Part<DocumentPage>>();

/** The page of what is shown: of experiments, or of the document; undefined while none is ready. */
export function shownPage(app: App): DocumentPage | undefined {
  if (app.runs.place.value !== undefined) return loaded(app, runs);
  const status = app.documents.status.value;
  // A part of a graph is looked at as accesses.
  if (app.accesses.part.value !== undefined) return loaded(app, accesses);
  if (status.kind !== 'ready') return undefined;
  return status.shows === 'profile' ? profilePage : loaded(app, PAGES[status.shows]);
}

/** The keys of what is shown, those of all pages first. */
export function shownKeys(app: App): readonly KeyScope[] {
  return [PAGE_KEYS, ...(shownPage(app)?.keys ?? [])];
}

function loaded(app: App, page: Part<DocumentPage> | undefined): DocumentPage | undefined {
  // Once: a page that cannot be loaded is told of, and drawing goes on.
  if (page !== undefined && !asked.has(page)) {
    asked.add(page);
    page.load().catch(app.notices.fail);
  }
  return page?.value.value;
}
