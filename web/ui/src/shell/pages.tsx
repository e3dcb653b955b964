import type { Progress } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DocumentStatus } from '../state/documents.ts';
import { useFormats } from '../state/formats.ts';
import { useApp } from '../state/services.ts';
import { formatBytes } from '../text/units.ts';
import { ProgressBar } from '../widgets/ProgressBar.tsx';

/** Work that is done sooner than this shows no progress, which would only flicker. */
const PATIENCE_MS = 150;

/** Shown while nothing is open. */
export function WelcomePage(props: { onOpen(): void; onFolder(): void }) {
  const { engine } = useApp();
  return (
    <main class="message page">
      <h1>Drop a profile here</h1>
      <p>It is read on this machine and goes nowhere else.</p>
      <button type="button" class="primary" onClick={props.onOpen}>
        Open a file…
      </button>{' '}
      {engine.readsFiles && (
        <button type="button" class="control" onClick={props.onFolder}>
          Open a folder…
        </button>
      )}{' '}
      <OpenAs />
      <Formats />
    </main>
  );
}

export function LoadingPage(props: {
  readonly title: string;
  readonly progress: Progress | undefined;
  onCancel(): void;
}) {
  const patient = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => {
      patient.value = false;
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (patient.value) return <main class="message" />;
  const { phase = 'reading', done = 0, total = 0 } = props.progress ?? {};
  const amount =
    total > 0 ? `${formatBytes(done)} of ${formatBytes(total)}` : done > 0 ? formatBytes(done) : '';
  return (
    <main class="message">
      <h1>{props.title}</h1>
      <ProgressBar done={done} total={total} />
      <p class="number" role="status">
        {phase} {amount}
      </p>
      <button type="button" class="control" onClick={props.onCancel}>
        Cancel
      </button>
    </main>
  );
}

/** What is wrong with a file, what to do about it, and what would open. */
export function FailedPage(props: {
  readonly status: Extract<DocumentStatus, { kind: 'failed' }>;
  onOpen(): void;
}) {
  const { title, error } = props.status;
  return (
    <main class="message page">
      <div class="card" role="alert">
        <h1>{title} cannot be shown</h1>
        <p class="problem">{error.message}</p>
        {error.hint !== '' && <p>{error.hint}</p>}
        <button type="button" class="primary" onClick={props.onOpen}>
          Open another file…
        </button>{' '}
        <OpenAs />
        <Formats />
      </div>
    </main>
  );
}

/** For a file that is not recognised by what is in it. */
function OpenAs() {
  const app = useApp();
  return (
    <button
      type="button"
      class="control"
      onClick={() => {
        app.overlay.value = 'open_as';
      }}
    >
      Open as…
    </button>
  );
}

function Formats() {
  const formats = useFormats();
  if (formats.length === 0) return null;
  return (
    <section>
      <h2>Formats that open</h2>
      <div class="formats">
        {formats.map(({ name, title, extensions }) => (
          <Fragment key={name}>
            <b>{name}</b>
            <span>{title}</span>
            <span class="mute mono">
              {extensions.map((ending) => `.${ending.replace(/^\./, '')}`).join(' ')}
            </span>
          </Fragment>
        ))}
      </div>
    </section>
  );
}
