import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { Editor, EditorOptions } from '../../../state/python/editor.ts';
import { namesOf } from './completion.ts';
import { colours, inks } from './theme.ts';
import { typedOver } from './typing.ts';

/** An editor of Python; it lives in a shadow root, whose style sheets a strict page allows. */
export function createEditor(options: EditorOptions): Editor {
  const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open' });
  // Keys that are pressed in it are its own.
  const stop = new AbortController();
  options.parent.addEventListener('keydown', (event) => event.stopPropagation(), {
    signal: stop.signal,
  });
  const extensions = extensionsOf(options);
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: options.text, extensions }),
  });
  return {
    setText: (text) => view.setState(EditorState.create({ doc: text, extensions })),
    mark(line, message) {
      const place = placeOf(view.state.doc, line);
      const found = place === undefined ? [] : [{ ...place, severity: 'error' as const, message }];
      view.dispatch(setDiagnostics(view.state, found));
    },
    reveal(line) {
      const place = placeOf(view.state.doc, line);
      if (place === undefined) return;
      const effects = EditorView.scrollIntoView(place.from, { y: 'center' });
      view.dispatch({ selection: { anchor: place.from }, effects });
      view.focus();
    },
    focus: () => view.focus(),
    close() {
      stop.abort();
      view.destroy();
    },
  };
}

function extensionsOf({ label, changed, run, complete }: EditorOptions): Extension {
  const runIt = () => {
    run();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: runIt }])),
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('    '),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: namesOf(complete) }),
    highlightActiveLine(),
    lintGutter(),
    python(),
    syntaxHighlighting(inks),
    colours,
    typedOver,
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      // Escape and then Tab leaves the editor.
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
}

/** Where the text of a line stands; undefined where there is no such line. */
function placeOf(
  doc: Text,
  line: number | undefined,
): { readonly from: number; readonly to: number } | undefined {
  if (line === undefined || line < 1 || line > doc.lines) return undefined;
  const { from, to, text } = doc.line(line);
  return { from: from + (text.length - text.trimStart().length), to };
}
