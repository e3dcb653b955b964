import type { App } from '../state/app.ts';
import { accessesPage } from './accesses/page.tsx';
import { graphPage } from './graph/page.tsx';
import type { DocumentPage } from './kind.ts';
import { profilePage } from './profile/page.tsx';
import { runsPage } from './runs/page.tsx';

/** The page of each kind of documents, by the engine's name for the kind. */
const PAGES: Readonly<Record<string, DocumentPage>> = {
  profile: profilePage,
  graph: graphPage,
  accesses: accessesPage,
};

/** The page of what is shown: of experiments, or of the document; undefined while none is ready. */
export function shownPage(app: App): DocumentPage | undefined {
  if (app.runs.place.value !== undefined) return runsPage;
  const status = app.documents.status.value;
  // A part of a graph is looked at as accesses.
  if (app.accesses.part.value !== undefined) return accessesPage;
  return status.kind === 'ready' ? PAGES[status.shows] : undefined;
}
