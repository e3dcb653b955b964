import type { DocumentInfo } from '@hotframe/engine';
import type { App } from '../../state/app.ts';

/** The open profiles, in the order in which they were opened. */
export function openProfiles(app: App): readonly DocumentInfo[] {
  const all = app.documents.list.value ?? [];
  return all.filter(({ state }) => state.kind === 'ready' && state.shows === 'profile');
}
