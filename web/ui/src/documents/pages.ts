import type { App } from '../state/app.ts';
import { graphPage } from './graph/page.tsx';
import type { DocumentPage } from './kind.ts';
import { profilePage } from './profile/page.tsx';

/** The page of each kind of documents, by the engine's name for the kind. */
const PAGES: Readonly<Record<string, DocumentPage>> = { profile: profilePage, graph: graphPage };

/** The page of the shown document; undefined while none is ready. */
export function shownPage(app: App): DocumentPage | undefined {
  const status = app.documents.status.value;
  return status.kind === 'ready' ? PAGES[status.shows] : undefined;
}
