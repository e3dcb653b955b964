import type { ReportAnonymize } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createSaved } from '../state/python/saved.ts';
import { hasProfilesAlone, namesSomething, saveReport } from '../state/report.ts';
import { asEngineError } from '../state/resource.ts';
import { useApp } from '../state/services.ts';
import { Dialog } from '../widgets/Dialog.tsx';

const REPLACED: readonly {
  readonly value: ReportAnonymize | '';
  readonly label: string;
}[] = [
  { value: '', label: 'Nothing: the files as they are' },
  { value: 'paths', label: 'Folders, machines, commands, comments, output' },
  { value: 'names', label: 'Also names of code, threads and files, and texts of labels' },
];

/** Asks what goes into a report of what is shown, and saves it. */
export function ReportDialog(props: { onClose(): void }) {
  const app = useApp();
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useSignal('');
  const anonymize = useSignal<ReportAnonymize | ''>('');
  const withScripts = useSignal(false);
  const python = useSignal(false);
  const isBusy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const saved = useMemo(
    () => (app.host.python === undefined ? [] : createSaved(app.host.store).all.peek()),
    [],
  );
  // A page that has its engine inside has Python beside it, where the engine does not see it.
  const offersPython = app.host.python !== undefined && app.host.viewer === undefined;
  const isNaming = anonymize.value === 'names' && namesSomething(app);
  useEffect(() => field.current?.focus(), []);
  const save = async () => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await saveReport(app, {
        note: note.value,
        anonymize: anonymize.value === '' ? undefined : anonymize.value,
        scripts: withScripts.value ? saved : [],
        python: python.value,
      });
      props.onClose();
    } catch (error) {
      const { message, hint } = asEngineError(error);
      problem.value = hint === '' ? message : `${message}. ${hint}`;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title="Report as one page" onClose={props.onClose}>
      <form
        class="report"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="mute">
          One file with the viewer, the data and this view. It opens in any browser, without network
          and without Hotframe.
        </p>
        <label>
          Note
          <textarea
            ref={field}
            class="control"
            rows={3}
            maxLength={20_000}
            placeholder="What does this show?"
            value={note.value}
            onInput={(event) => {
              note.value = event.currentTarget.value;
            }}
          />
        </label>
        {hasProfilesAlone(app) && (
          <label>
            Anonymise
            <select
              class="control"
              value={anonymize.value}
              onChange={(event) => {
                anonymize.value = event.currentTarget.value as ReportAnonymize | '';
              }}
            >
              {REPLACED.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        {isNaming ? (
          <p class="problem" role="alert">
            The view has filters or searches for names, which would find nothing any more: take them
            off first.
          </p>
        ) : (
          anonymize.value !== '' && (
            <p class="mute">Your note is kept as it is: it may hold names.</p>
          )
        )}
        {saved.length > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={withScripts.value}
              onChange={(event) => {
                withScripts.value = event.currentTarget.checked;
              }}
            />
            {saved.length === 1 ? 'My saved script' : `My ${saved.length} saved scripts`}
          </label>
        )}
        {offersPython && (
          <label class="check">
            <input
              type="checkbox"
              checked={python.value}
              onChange={(event) => {
                python.value = event.currentTarget.checked;
              }}
            />
            Python, to run scripts in it (9 MB more)
          </label>
        )}
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy.value || isNaming}>
          {isBusy.value ? 'Writing…' : 'Save'}
        </button>
      </form>
    </Dialog>
  );
}
