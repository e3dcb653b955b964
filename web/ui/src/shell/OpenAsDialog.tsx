import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useFormats } from '../state/formats.ts';
import { useApp } from '../state/services.ts';
import { shortenName } from '../text/names.ts';
import { Dialog } from '../widgets/Dialog.tsx';

/** Opens files in a format that is told, as `--from` does, where content does not tell it. */
export function OpenAsDialog(props: { onClose(): void }) {
  const app = useApp();
  const formats = useFormats();
  const format = useSignal('');
  const list = useRef<HTMLSelectElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const status = app.documents.status.value;
  const failed = status.kind === 'failed' ? status.title : undefined;
  const chosen = formats.find(({ name }) => name === format.value);
  useEffect(() => list.current?.focus(), []);
  return (
    <Dialog title="Open as…" onClose={props.onClose}>
      <form
        class="open-as"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen === undefined) return;
          if (failed === undefined) {
            picker.current?.click();
            return;
          }
          props.onClose();
          app.documents.readAs(chosen.name).catch(app.notices.fail);
        }}
      >
        <p class="mute">
          Formats are recognised by content. Where it is not recognised, say what it is.
        </p>
        <select
          ref={list}
          class="control"
          aria-label="Format"
          size={12}
          value={format.value}
          onChange={(event) => {
            format.value = event.currentTarget.value;
          }}
        >
          {formats.map(({ name, title }) => (
            <option key={name} value={name} title={title}>
              {name} · {title}
            </option>
          ))}
        </select>
        <div class="actions">
          {failed !== undefined && (
            <button type="submit" class="primary" disabled={chosen === undefined}>
              Read {shortenName(failed, 40)} as {chosen?.name ?? 'this'}
            </button>
          )}
          <button
            type="button"
            class={failed === undefined ? 'primary' : 'control'}
            disabled={chosen === undefined}
            onClick={() => picker.current?.click()}
          >
            Choose a file…
          </button>
        </div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Open files in this format"
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            props.onClose();
            void app.upload.send(files, chosen?.name);
          }}
        />
      </form>
    </Dialog>
  );
}
