import { partsOf, type Progress } from '@hotframe/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { App } from '../app.ts';
import type { Editor } from './editor.ts';
import type { PythonHost } from './host.ts';
import { createSaved, type SavedScript, type SavedScripts } from './saved.ts';
import { createScripts, type OfProfile, type Scripts } from './scripts.ts';

/** What is in the pane, which stays while it is closed. */
export interface PythonPane {
  readonly host: PythonHost;
  readonly scripts: Scripts;
  readonly saved: SavedScripts;
  readonly script: Signal<SavedScript>;
  /** The profile that is shown; scripts work on it. */
  readonly profile: ReadonlySignal<OfProfile | undefined>;
  /** The editor, once it is loaded and while it is on the page. */
  readonly editor: Signal<Editor | undefined>;
  /** Puts a script into the editor. */
  put(script: SavedScript): void;
  run(): void;
}

export const FIRST: SavedScript = {
  name: '',
  text: '# `profile` is the profile that is shown.\nprint(profile)\n',
};

/** Milliseconds that output waits for more. */
const DRAWING_MS = 30;

const panes = new WeakMap<App, PythonPane>();

/** The pane of a page with what scripts need. */
export function paneOf(app: App, python: PythonHost): PythonPane {
  const known = panes.get(app);
  if (known !== undefined) return known;
  const pane = createPane(app, python);
  panes.set(app, pane);
  return pane;
}

function createPane(app: App, python: PythonHost): PythonPane {
  const { engine, host, documents, upload, notices } = app;
  const saved = createSaved(host.store);
  /** One after the other: what is opened ends what is being opened. */
  let opening = Promise.resolve();
  const scripts = createScripts({
    engine,
    host: python,
    show(name, bytes) {
      const file = new File([bytes], fileName(name));
      opening = opening.then(() => upload.send([file])).catch(notices.fail);
    },
    later: (run) => void setTimeout(run, DRAWING_MS),
  });
  const script = signal<SavedScript>(saved.draft ?? FIRST);
  const profile = computed<OfProfile | undefined>(() => {
    const status = documents.status.value;
    const document = documents.shown.value;
    if (status.kind !== 'ready' || status.shows !== 'profile' || document === undefined) {
      return undefined;
    }
    const titles = new Map(documents.list.value?.map((one) => [one.document, one.title]));
    const made = documents.list.value?.find((one) => one.document === document)?.made_by;
    const parts = partsOf(made ?? { method: 'merge', documents: [] }).map((part) => ({
      document: part,
      name: titles.get(part) ?? `profile ${part}`,
    }));
    return { document, name: status.title, parts, made: made ?? undefined };
  });
  const editor = signal<Editor | undefined>(undefined);
  return {
    host: python,
    scripts,
    saved,
    script,
    profile,
    editor,
    put(next) {
      script.value = next;
      saved.keepDraft(next);
      editor.peek()?.setText(next.text);
    },
    run() {
      const of = profile.peek();
      if (of !== undefined) void scripts.run(script.peek().text, of);
    },
  };
}

/** What a profile is called that a script shows; it is no path, whatever the script says. */
export function fileName(name: string): string {
  const words = name
    .replace(/\.hotframe$/, '')
    .replaceAll(/[\p{C}/\\]+/gu, ' ')
    .trim();
  return `${words === '' ? 'from a script' : words}.hotframe`;
}

/** Whether somebody knows how much there is to do. */
export function isKnownProgress(progress: Progress | undefined): progress is Progress {
  return progress !== undefined && progress.total > 0;
}
