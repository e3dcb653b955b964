import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Editor } from '../../state/python/editor.ts';
import type { PythonPane } from '../../state/python/pane.ts';
import { asEngineError } from '../../state/resource.ts';

/** The editor, which is loaded when it is looked at; what went wrong is marked at its line. */
export function EditorBox({ pane }: { readonly pane: PythonPane }) {
  const box = useRef<HTMLDivElement>(null);
  const problem = useSignal('');
  const { editor, script, scripts } = pane;
  useEffect(() => {
    let made: Editor | undefined;
    let isGone = false;
    pane.host.editor().then(
      ({ createEditor }) => {
        const parent = box.current;
        if (isGone || parent === null) return;
        made = createEditor({
          parent,
          text: script.peek().text,
          label: 'Python script',
          changed(text) {
            const next = { ...script.peek(), text };
            script.value = next;
            pane.saved.keepDraft(next);
          },
          run: pane.run,
          complete: scripts.complete,
        });
        editor.value = made;
        made.focus();
      },
      (error: unknown) => {
        problem.value = asEngineError(error).message;
      },
    );
    return () => {
      isGone = true;
      made?.close();
      editor.value = undefined;
    };
  }, []);
  const last = scripts.last.value;
  const shown = editor.value;
  useEffect(() => {
    shown?.mark(last?.error?.line, last?.error?.message ?? '');
  }, [last, shown]);
  return (
    <div class="python-editor">
      <div ref={box} class="python-code" />
      {problem.value !== '' && (
        <p class="problem" role="alert">
          The editor cannot be loaded: {problem.value}
        </p>
      )}
    </div>
  );
}
