import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { MenuItem } from '../../state/commands.ts';
import { scriptText } from '../../state/python/coding.ts';
import { FIRST, type PythonPane } from '../../state/python/pane.ts';
import { useApp } from '../../state/services.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { EXAMPLES } from './examples.ts';
import { RunsOn } from './RunsOn.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { ScriptStatus } from './ScriptStatus.tsx';

/** Most bytes of a file that is opened as a script. */
const MOST_BYTES = 2 ** 20;

/** What can be done with scripts. */
export function PythonBar({ pane }: { readonly pane: PythonPane }) {
  const app = useApp();
  const picker = useRef<HTMLInputElement>(null);
  const isSaving = useSignal(false);
  const { scripts, saved, script } = pane;
  const { kind } = scripts.status.value;
  const isBusy = kind === 'running' || kind === 'handing';
  const { name, text } = script.value;
  const kept = saved.all.value.find((one) => one.name === name);
  const isLacking = pane.host.lacking !== undefined;
  const save = (as: string) => {
    try {
      saved.save({ name: as, text });
      pane.put({ name: as, text });
    } catch (error) {
      app.notices.notice.value = `The script cannot be kept here: ${String(error)}. Download it instead.`;
    }
  };
  const items: readonly MenuItem[] = [
    { label: 'New script', run: () => pane.put(FIRST) },
    ...saved.all.value.map((one, index) => ({
      label: one.name,
      checked: one.name === name,
      apart: index === 0,
      run: () => pane.put(one),
    })),
    ...(app.host.report?.scripts ?? []).map((one, index) => ({
      label: `In this report: ${one.name}`,
      apart: index === 0,
      run: () => pane.put(one),
    })),
    ...EXAMPLES.map((example, index) => ({
      label: `Example: ${example.title}`,
      apart: index === 0,
      run: () => pane.put({ name: '', text: example.text }),
    })),
    ...(name === '' ? [] : [{ label: 'Save', apart: true, run: () => save(name) }]),
    {
      label: 'Save as…',
      apart: name === '',
      run: () => {
        isSaving.value = true;
      },
    },
    {
      label: 'Download .py',
      run: () => {
        const file = name === '' ? 'script' : name.replaceAll(/[\p{C}/\\]+/gu, ' ');
        app.host.save(
          new Blob([text], { type: 'text/x-python' }),
          `${file.replace(/\.py$/, '')}.py`,
        );
      },
    },
    { label: 'Open .py…', run: () => picker.current?.click() },
    ...(kept === undefined
      ? []
      : [
          {
            label: `Delete ${name}`,
            apart: true,
            run: () => {
              saved.remove(name);
              pane.put({ name: '', text });
            },
          },
        ]),
  ];
  const shown = kept !== undefined && kept.text !== text ? `${name} *` : name;
  return (
    <div class="python-bar">
      {isBusy ? (
        <button type="button" class="primary stop" onClick={scripts.stop}>
          Stop
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          title={pane.profile.value === undefined ? 'No profile is shown' : 'Run (Ctrl+Enter)'}
          disabled={isLacking || pane.profile.value === undefined}
          onClick={pane.run}
        >
          Run
        </button>
      )}
      {!isLacking && (
        <MenuButton
          label={name === '' ? 'Scripts' : `Script ${shown}`}
          class="plain file"
          items={items}
        >
          <span class="title">{name === '' ? 'Scripts' : shown}</span>{' '}
          <span class="caret" aria-hidden="true">
            ▾
          </span>
        </MenuButton>
      )}
      {!isLacking && <RunsOn pane={pane} />}
      <ScriptStatus pane={pane} />
      <span class="grow" />
      <button
        type="button"
        class="plain"
        disabled={scripts.written.value.pieces.length === 0}
        onClick={scripts.clear}
      >
        Clear
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Close the Python pane"
        title="Close (Shift+P)"
        onClick={() => {
          app.pythonOpen.value = false;
        }}
      >
        ✕
      </button>
      <input
        ref={picker}
        type="file"
        accept=".py,text/x-python"
        hidden
        aria-label="Open a script"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void open(file);
        }}
      />
      {isSaving.value && (
        <SaveDialog
          name={name}
          taken={saved.all.value.map((one) => one.name)}
          onSave={save}
          onClose={() => {
            isSaving.value = false;
          }}
        />
      )}
    </div>
  );

  async function open(file: File): Promise<void> {
    if (file.size > MOST_BYTES) {
      app.notices.notice.value = `${file.name} is not a script: it has more than a mebibyte.`;
      return;
    }
    try {
      const text = scriptText(new Uint8Array(await file.arrayBuffer()));
      pane.put({ name: file.name.replace(/\.py$/, ''), text });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      app.notices.notice.value = `${file.name} cannot be opened: ${why}.`;
    }
  }
}
