import { partsOf, type ReportAnonymize, type ReportParams } from '@hotframe/engine';
import { stateOf } from './address-part.ts';
import type { App } from './app.ts';
import type { SavedScript } from './python/saved.ts';
import { encodeHash } from './url.ts';
import type { View } from './view.ts';

/** Characters of a note that are shown without asking for it. */
const MOST_SHOWN = 300;

/** What people choose about a report. */
export interface ReportChoices {
  readonly note: string;
  readonly anonymize: ReportAnonymize | undefined;
  readonly scripts: readonly SavedScript[];
  readonly python: boolean;
}

/** Whether a report can be made here: a notebook's cell has neither an engine nor a page that writes one. */
export function canReport(app: App): boolean {
  return app.documents.status.value.kind === 'ready' && app.host.makesReports;
}

/** The documents that are seen. */
function seen(app: App): readonly number[] {
  const { document, graph } = app.view.peek();
  // What is shown with other members is the document that has them, and the view names the members.
  const shown = document ?? app.documents.list.peek()?.[0]?.document;
  if (shown === undefined) return [];
  const others =
    app.documents.list
      .peek()
      ?.filter(({ state }) => state.kind === 'ready' && state.shows === 'profile')
      .map(({ document }) => document) ?? [];
  return [
    ...new Set([
      shown,
      ...(app.profile.views.some((view) => view.showsAllProfiles(app)) ? others : []),
      ...(graph.against === undefined ? [] : [graph.against]),
    ]),
  ];
}

/** Whether all that a report has inside are profiles, of which names can be replaced. */
export function hasProfilesAlone(app: App): boolean {
  return seen(app).every((document) => {
    const info = app.documents.list.peek()?.find((one) => one.document === document);
    if (info?.made_by != null) return partsOf(info.made_by).length > 0;
    return info?.state.kind === 'ready' && info.state.shows === 'profile';
  });
}

/** Whether the view finds something by names, which would be replaced. */
export function namesSomething(app: App): boolean {
  const view = app.view.value;
  const isFound = ({ state: part }: View) => part?.findsByName?.(stateOf(view, part)) === true;
  return view.filters.length > 0 || view.search !== '' || app.profile.views.some(isFound);
}

/** Makes a report of what is shown and hands it to the person. */
export async function saveReport(app: App, choices: ReportChoices): Promise<void> {
  const { host, engine } = app;
  const documents = seen(app);
  const view = app.view.peek();
  const params: ReportParams = {
    documents: [...documents],
    view: encodeHash({ ...view, document: view.document ?? documents[0] }, app.profile.views),
    anonymize: choices.anonymize ?? null,
    note: choices.note.trim(),
    scripts: choices.scripts.map(({ name, text }) => ({ name, text })),
    python: choices.python,
  };
  const viewer = await host.viewer?.();
  const { result, columns } = await engine.call('report', params, {
    columns: viewer && { viewer },
  });
  host.save(new Blob([columns.bytes.slice()], { type: 'text/html' }), result.file_name);
}

/** As much of a note as a banner has room for; undefined where there is none. */
export function firstOf(note: string): string | undefined {
  // A banner is one line.
  const text = note.trim().replaceAll(/\s+/g, ' ');
  if (text === '') return undefined;
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN).trimEnd()}… (Export, About this report)`;
}
