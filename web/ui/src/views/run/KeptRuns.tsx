import type { RunPhase, RunSummary, RunUpload } from '@hotframe/engine';
import { type Signal, useSignal } from '@preact/signals';
import { useApp } from '../../state/services.ts';
import type { KeptSearch } from '../../state/runs/kept.ts';
import { isOpen } from '../../state/runs/runs.ts';
import { formatBytes, formatThings } from '../../text/units.ts';
import { CountsBar } from './CountsBar.tsx';
import { countsText, momentText, phaseText, recorderText } from './words.ts';

const PHASES: readonly RunPhase[] = [
  'waiting',
  'preparing',
  'running',
  'ended',
  'stopped',
  'failed',
];

/** What was sent and run before: searched, opened again, compared. */
export function KeptRuns() {
  const app = useApp();
  const { kept, search } = app.runs;
  const picked = useSignal<readonly RunSummary[]>([]);
  const { value, error } = kept.state.value;
  const uploads = value?.uploads ?? [];
  const { text, phase, day } = search.value;
  const isEmpty = value !== undefined && uploads.length === 0;
  const isAny = text === '' && phase === undefined && day === '';
  const look = (change: Partial<KeptSearch>) => {
    search.value = { ...search.peek(), ...change };
  };
  return (
    <main class="runs" data-scope="runs">
      <div class="run-kept">
        <header class="run-head">
          <h1>What was run</h1>
          <div class="actions">
            <input
              class="control"
              type="search"
              aria-label="Search by name, number or condition"
              placeholder="Name, number or condition"
              value={text}
              onInput={(event) => look({ text: event.currentTarget.value })}
            />
            <input
              class="control"
              type="date"
              aria-label="Day"
              value={day}
              onInput={(event) => look({ day: event.currentTarget.value })}
            />
            <select
              class="control"
              aria-label="Status"
              value={phase ?? ''}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                look({ phase: PHASES.find((one) => one === chosen) });
              }}
            >
              <option value="">any status</option>
              {PHASES.map((one) => (
                <option key={one} value={one}>
                  {phaseText(one)}
                </option>
              ))}
            </select>
          </div>
        </header>
        <Comparing picked={picked} />
        {error !== undefined && (
          <p class="problem" role="alert">
            {error.message}
          </p>
        )}
        {isEmpty && (
          <div class="run-empty">
            <p>{isAny ? 'Nothing was sent yet.' : 'No run matches.'}</p>
            {isAny && (
              <button
                type="button"
                class="primary"
                onClick={() => app.runs.go({ page: 'new', upload: undefined })}
              >
                Run a program
              </button>
            )}
          </div>
        )}
        {uploads.map((upload) => (
          <Upload key={upload.id} upload={upload} picked={picked} />
        ))}
        {value !== undefined && value.left_out > 0 && (
          <p class="mute">{formatThings(value.left_out, 'older one')} are not shown: search.</p>
        )}
      </div>
    </main>
  );
}

/** What is chosen to be compared, the first as the base. */
function Comparing(props: { readonly picked: Signal<readonly RunSummary[]> }) {
  const app = useApp();
  const { picked } = props;
  const [base, now] = picked.value;
  if (base === undefined) return null;
  return (
    <div class="run-comparing" role="status">
      <span>
        <b>{base.name}</b> {base.what}
        {now === undefined ? ', and which other one?' : ' → '}
        {now !== undefined && (
          <>
            <b>{now.name}</b> {now.what}
          </>
        )}
      </span>
      <span class="grow" />
      <button
        type="button"
        class="primary"
        disabled={now === undefined}
        onClick={() => {
          if (now === undefined) return;
          app.runs.results.compare(base.run, now.run).catch(app.notices.fail);
        }}
      >
        Compare
      </button>
      <button
        type="button"
        class="control"
        onClick={() => {
          picked.value = [];
        }}
      >
        None
      </button>
    </div>
  );
}

function Upload(props: {
  readonly upload: RunUpload;
  readonly picked: Signal<readonly RunSummary[]>;
}) {
  const app = useApp();
  const { upload, picked } = props;
  return (
    <section class="kept-upload" aria-label={upload.name}>
      <header>
        <h2 class="mono">{upload.name}</h2>
        <span class="mute mono" title={upload.id}>
          {upload.id.slice(0, 8)}
        </span>
        <span class="mute">
          {formatThings(upload.files, 'file')}, {formatBytes(upload.bytes)}, sent{' '}
          {momentText(upload.added_s)}
        </span>
        <span class="grow" />
        <button
          type="button"
          class="control"
          onClick={() => {
            app.runs.fresh.written.value = undefined;
            app.runs.go({ page: 'new', upload: upload.id });
          }}
        >
          Run with other settings…
        </button>
      </header>
      {upload.runs.length === 0 && <p class="mute">It was not run.</p>}
      <ul>
        {upload.runs.map((run) => (
          <RunLine key={run.run} run={run} picked={picked} />
        ))}
      </ul>
    </section>
  );
}

function RunLine(props: {
  readonly run: RunSummary;
  readonly picked: Signal<readonly RunSummary[]>;
}) {
  const app = useApp();
  const { run, picked } = props;
  const isPicked = picked.value.some((one) => one.run === run.run);
  return (
    <li class="kept-run">
      <label title="Choose two to compare them">
        <input
          type="checkbox"
          aria-label={`Compare ${run.name} ${run.what}`}
          checked={isPicked}
          disabled={!run.has_result || (picked.value.length === 2 && !isPicked)}
          onChange={() => {
            const others = picked.value.filter((one) => one.run !== run.run);
            picked.value = isPicked ? others : [...others, run];
          }}
        />
      </label>
      <button type="button" class="link" onClick={() => app.runs.go({ page: 'run', run: run.run })}>
        {run.name} <span class="mute mono">{run.what}</span>
      </button>
      <span>{recorderText(run.recorder)}</span>
      <span class={`phase ${run.phase}`}>{phaseText(run.phase)}</span>
      <span class="counts" title={countsText(run.counts)}>
        <CountsBar counts={run.counts} />
        <span class="mute">{countsText(run.counts)}</span>
      </span>
      <span class="mute when">{momentText(run.begun_s)}</span>
      {run.has_result && (
        <button
          type="button"
          class="control"
          onClick={() => app.runs.results.open(run.run).catch(app.notices.fail)}
        >
          {isOpen(run.phase) ? 'Open what there is' : 'Open result'}
        </button>
      )}
    </li>
  );
}
