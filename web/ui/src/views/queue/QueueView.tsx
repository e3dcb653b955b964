import type { QueueExperiment, QueueJob, QueueResult } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { CountsBar } from '../run/CountsBar.tsx';
import { LogView } from '../run/LogView.tsx';
import { countsText, whileText } from '../run/words.ts';

/** The dashboard: who works, what runs and waits, and what failed and why. */
export function QueueView() {
  const app = useApp();
  const { queue, logOf } = app.runs;
  const { value, error } = queue.state.value;
  const wanted = useSignal<string | undefined>(undefined);
  const running = value?.experiments.flatMap((one) => one.running) ?? [];
  const failed = value?.experiments.flatMap((one) => one.failed) ?? [];
  const job = [...running, ...failed].find((one) => one.job === wanted.value) ?? running[0];
  const isRunning = running.some((one) => one.job === job?.job);
  const key = job?.job;
  useEffect(() => {
    logOf.value = key === undefined ? undefined : { job: key, isRunning };
  }, [key, isRunning]);
  useEffect(
    () => () => {
      logOf.value = undefined;
    },
    [],
  );
  const choose = (one: QueueJob) => {
    wanted.value = one.job;
  };
  const logBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wanted.value !== undefined) logBox.current?.scrollIntoView({ block: 'nearest' });
  }, [wanted.value]);
  return (
    <main class="runs" data-scope="runs">
      <div class="run-progress">
        <header class="run-head">
          <h1>Queue</h1>
        </header>
        {error !== undefined && (
          <p class="problem" role="alert">
            {error.message} {error.hint}
          </p>
        )}
        {value !== undefined && <Workers workers={value.workers} />}
        {job !== undefined && (
          <div ref={logBox}>
            <LogView title={job.title} problem={isRunning ? '' : job.what} />
          </div>
        )}
        {value !== undefined && (
          <Experiments experiments={value.experiments} chosen={key} onChoose={choose} />
        )}
      </div>
    </main>
  );
}

function Workers(props: { readonly workers: QueueResult['workers'] }) {
  const { workers } = props;
  return (
    <section aria-label="Workers">
      <h2>Workers</h2>
      {workers.length === 0 ? (
        <p class="mute">No worker runs now: workers start with a run and end after it.</p>
      ) : (
        <ul class="workers">
          {workers.map(({ name, runs, since_s: since, silent_s: silent }) => (
            <li key={name}>
              <b class="mono">{name}</b>
              {runs === '' ? (
                <span class="mute">waits, heard of {whileText(silent)} ago</span>
              ) : (
                <span>
                  {runs} <span class="mute">for {whileText(since)}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Chosen {
  readonly chosen: string | undefined;
  onChoose(job: QueueJob): void;
}

function Experiments(props: { readonly experiments: readonly QueueExperiment[] } & Chosen) {
  const { experiments } = props;
  return (
    <section aria-label="Experiments">
      <h2>Experiments</h2>
      {experiments.length === 0 && <p class="mute">The queue is empty.</p>}
      {experiments.map((one) => (
        <Experiment key={one.name} {...props} experiment={one} />
      ))}
    </section>
  );
}

function Experiment(props: { readonly experiment: QueueExperiment } & Chosen) {
  const app = useApp();
  const { name, run, counts, running, failed } = props.experiment;
  return (
    <article class="queued" aria-label={name}>
      <header>
        {run === null ? (
          <b class="mono">{name}</b>
        ) : (
          <button type="button" class="link" onClick={() => app.runs.go({ page: 'run', run })}>
            {name}
          </button>
        )}
        <span class="grow" />
        <CountsBar counts={counts} />
        <span class="mute">{countsText(counts)}</span>
      </header>
      <Jobs {...props} jobs={running} title="Running" />
      <Jobs {...props} jobs={failed} title="Failed" />
    </article>
  );
}

function Jobs(props: { readonly jobs: readonly QueueJob[]; readonly title: string } & Chosen) {
  const { jobs, title, chosen, onChoose } = props;
  if (jobs.length === 0) return null;
  const isFailed = title === 'Failed';
  return (
    <ul class="jobs" aria-label={title}>
      {jobs.map((job) => (
        <li key={job.job} class={job.job === chosen ? 'chosen' : ''}>
          <button
            type="button"
            aria-pressed={job.job === chosen}
            title="Show what it writes"
            onClick={() => onChoose(job)}
          >
            {job.title}
          </button>
          <span class={isFailed ? 'problem' : 'mute'}>{job.what.split('\n', 1)[0]}</span>
          <span class="mute number">
            {isFailed ? `${whileText(job.since_s)} ago` : `for ${whileText(job.since_s)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
