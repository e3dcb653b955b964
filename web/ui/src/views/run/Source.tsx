import { useRef } from 'preact/hooks';
import type { Dropped } from '../../state/dropped.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatThings } from '../../text/units.ts';
import { ProgressBar } from '../../widgets/ProgressBar.tsx';

/** The program: where to drop it, how far it is, or what it is. */
export function Source() {
  const app = useApp();
  const { fresh, here } = app.runs;
  const picker = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const sending = fresh.sending.status.value;
  const { value: upload, error, pending } = fresh.upload.value;
  const most = here.value.value?.most.upload_bytes;
  return (
    <section class="run-section" aria-label="Program">
      {upload === undefined ? (
        <div class="drop-zone">
          <b>Drop a .py file, several, or a folder</b>
          <span class="mute">
            also .zip, .tar and .tar.gz{most !== undefined && `, up to ${formatBytes(most)}`}
          </span>
          <span class="actions">
            <button type="button" class="primary" onClick={() => picker.current?.click()}>
              Choose files…
            </button>
            <button type="button" class="control" onClick={() => folders.current?.click()}>
              Choose a folder…
            </button>
          </span>
        </div>
      ) : (
        <div class="run-source">
          <b class="mono">{upload.name}</b>
          <span class="mute">
            {formatThings(upload.files, 'file')}, {formatBytes(upload.bytes)}
          </span>
          <span class="mute mono" title="The same files have the same number">
            {upload.id.slice(0, 8)}
          </span>
          <span class="grow" />
          <button type="button" class="control" onClick={() => picker.current?.click()}>
            Another program…
          </button>
        </div>
      )}
      {upload?.notes.map((note) => (
        <p key={note} class="mute">
          {note}
        </p>
      ))}
      {sending.kind === 'sending' && (
        <div class="run-sending" role="status">
          <span>Sending {sending.name}</span>
          <ProgressBar done={sending.sent} total={sending.total} />
          <button type="button" class="control" onClick={() => fresh.sending.cancel()}>
            Cancel
          </button>
        </div>
      )}
      {sending.kind === 'refused' && (
        <div class="run-problem" role="alert">
          <p>
            {sending.message}. {sending.hint}
          </p>
          <button
            type="button"
            class="control"
            onClick={() => {
              fresh.sending.dismiss();
              void app.upload.send(sending.files);
            }}
          >
            Open it as a profile
          </button>
        </div>
      )}
      {error !== undefined && !pending && (
        <div class="run-problem" role="alert">
          <p>{error.message}</p>
        </div>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Program to run"
        onChange={(event) => void take(event.currentTarget)}
      />
      <input
        ref={folders}
        type="file"
        {...{ webkitdirectory: true }}
        hidden
        aria-label="Folder to run"
        onChange={(event) => void take(event.currentTarget)}
      />
    </section>
  );

  async function take(input: HTMLInputElement): Promise<void> {
    const files: Dropped[] = [...(input.files ?? [])]
      .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
      // What is hidden belongs to tools.
      .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
    input.value = '';
    await fresh.take(files);
  }
}
