import type { Engine } from '@hotframe/engine';
import { effect, signal } from '@preact/signals';
import type { Documents } from './documents.ts';
import type { GraphState } from './graph.ts';
import type { Host } from './host.ts';
import type { Notices } from './notices.ts';
import type { ViewHistory } from './history.ts';
import type { Selected, Selection } from './selection.ts';
import { createSourceFolder, type SourceFolder } from './source-folder.ts';
import type { SourcePlace } from './view-state.ts';

/** The way from what is selected to its source: in the editor, else as a text of this page. */
export interface Source {
  /** Shows a source line of the shown document. */
  open(place: SourcePlace, takeFocus: boolean): void;
  /** Leaves a text that the page shows. */
  close(): void;
  /** The same for what is selected, once all about it is known. */
  openSelected(takeFocus: boolean): void;
  /** Sources that were given to the page, where the engine has none. */
  readonly folder: SourceFolder;
  /** Something was pointed at: in an editor's panel the source follows, and the panel keeps the keyboard. */
  pointed(): void;
}

export function createSource(
  engine: Engine,
  documents: Pick<Documents, 'shown' | 'opensSource'>,
  { notice, fail }: Notices,
  selection: Pick<Selection, 'selected'>,
  graph: Pick<GraphState, 'element' | 'summary'>,
  { update }: Pick<ViewHistory, 'update'>,
  { editor, sources }: Pick<Host, 'editor' | 'sources'>,
): Source {
  const { shown, opensSource } = documents;
  /** Set while the selected frame's source is to be opened. */
  const opening = signal<{ readonly takeFocus: boolean } | undefined>(undefined);

  function open({ file, line }: SourcePlace, takeFocus: boolean): void {
    const document = shown.peek();
    if (document === undefined) return;
    if (sources !== undefined) {
      sources.show({ file, line }, takeFocus);
      return;
    }
    if (!opensSource.peek()) {
      update({ source: { file, line } }, 'push');
      return;
    }
    engine.call('open_source', { document, file, line, take_focus: takeFocus }).catch(fail);
  }

  effect(() => {
    const wanted = opening.value;
    const { value: found, pending } = selection.selected.value;
    if (wanted === undefined || pending || found === undefined) return;
    opening.value = undefined;
    const place = sourceOf(found);
    if (place !== undefined) open(place, wanted.takeFocus);
    else if (!found.isProgram) notice.value = 'The profile does not say where its source is.';
  });

  effect(() => {
    const wanted = opening.value;
    const { value: found, pending } = graph.element.value;
    if (wanted === undefined || graph.summary.value === undefined || pending) return;
    opening.value = undefined;
    const source = found?.result.source ?? null;
    if (found === undefined) return;
    if (source !== null) open(source, wanted.takeFocus);
    else if (wanted.takeFocus) notice.value = 'The graph does not say where its source is.';
  });

  const openSelected = (takeFocus: boolean) => {
    opening.value = { takeFocus };
  };
  return {
    open,
    close: () => update({ source: undefined }, 'push'),
    openSelected,
    folder: createSourceFolder(),
    pointed() {
      if (editor !== undefined || sources !== undefined) openSelected(false);
    },
  };
}

/** Where a selected frame is in the source: its line that costs most, else where it starts. */
export function sourceOf(selected: Selected): SourcePlace | undefined {
  if (selected.isProgram) return undefined;
  const { lines, file, line, start_line: start } = selected.details.result;
  const hottest = lines.find((one) => one.file !== '' && one.line > 0);
  if (hottest !== undefined) return { file: hottest.file, line: hottest.line };
  return file === '' ? undefined : { file, line: line || start };
}
