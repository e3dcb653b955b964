import type { RunCell, RunStatusResult } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { isOpen } from '../../state/runs/runs.ts';
import { formatSeconds } from '../../text/units.ts';
import { CountsBar } from './CountsBar.tsx';
import { LogView } from './LogView.tsx';
import { Times } from './Times.tsx';
import { countsText, meanOf, momentText, phaseText, recorderText, totalOf } from './words.ts';

/** One experiment: its cells as their runs end, and what they write. */
export function RunProgress() {
  const app = useApp();
  const { status } = app.runs;
  const { value, error } = status.state.value;
  const wanted = useSignal<string | undefined>(undefined);
  const cell = value && shownCell(value.cells, wanted.value);
  const job = cell?.job ?? undefined;
  const isRunning = (cell?.counts.running ?? 0) > 0;
  useEffect(() => {
    app.runs.logOf.value = job === undefined ? undefined : { job, isRunning };
  }, [job, isRunning]);
  useEffect(
    () => () => {
      app.runs.logOf.value = undefined;
    },
    [],
  );
  if (value === undefined) {
    return (
      <main class="runs message">
        {error !== undefined && (
          <div class="card" role="alert">
            <h1>This cannot be shown</h1>
            <p class="problem">{error.message}</p>
            <p>{error.hint}</p>
          </div>
        )}
      </main>
    );
  }
  const longest = Math.max(0, ...value.cells.flatMap(({ seconds }) => seconds));
  return (
    <main class="runs" data-scope="runs">
      <div class="run-progress">
        <Head status={value} />
        <div class="run-table">
          <table class="cells">
            <thead>
              <tr>
                <th scope="col">Cell</th>
                <th scope="col">Runs</th>
                <th scope="col" class="wide-only">
                  Wall time
                  {longest > 0 && <small> 0 to {formatSeconds(longest)}</small>}
                </th>
                <th scope="col">Mean</th>
                <th scope="col" class="wide-only">
                  Now
                </th>
              </tr>
            </thead>
            <tbody>
              {value.cells.map((one) => (
                <CellRow
                  key={one.title}
                  cell={one}
                  longest={longest}
                  isChosen={one === cell}
                  onChoose={() => {
                    wanted.value = one.title;
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
        <LogView title={cell === undefined ? '' : cellTitle(cell)} problem={cell?.problem ?? ''} />
      </div>
    </main>
  );
}

/** The chosen cell; else one that runs, one that failed, or any that has written something. */
function shownCell(cells: readonly RunCell[], wanted: string | undefined): RunCell | undefined {
  return (
    cells.find(({ title }) => title === wanted) ??
    cells.find(({ counts }) => counts.running > 0) ??
    cells.find(({ problem }) => problem !== '') ??
    cells.find(({ job }) => job !== null)
  );
}

/** An experiment without conditions has one cell without a name. */
const cellTitle = ({ title }: RunCell) => (title === '' ? 'all runs' : title);

function CellRow(props: {
  readonly cell: RunCell;
  readonly longest: number;
  readonly isChosen: boolean;
  onChoose(): void;
}) {
  const { cell, longest, isChosen, onChoose } = props;
  const { counts, seconds, line, problem } = cell;
  const mean = meanOf(seconds);
  // The row says which cell it is.
  const said = problem !== '' ? problem : line.replace(` of ${cell.title}`, '');
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <th scope="row">
        <button
          type="button"
          aria-pressed={isChosen}
          title="Show what it writes"
          onClick={onChoose}
        >
          {cellTitle(cell)}
        </button>
      </th>
      <td>
        <CountsBar counts={counts} />
        <span class="number">
          {counts.done} of {totalOf(counts)}
        </span>
      </td>
      <td class="wide-only">
        <Times seconds={seconds} longest={longest} />
      </td>
      <td class="number">{mean !== undefined && formatSeconds(mean)}</td>
      <td class={problem !== '' ? 'wide-only said problem' : 'wide-only said mute'} title={said}>
        {said.split('\n', 1)[0]}
      </td>
    </tr>
  );
}

/** What it is, how far it is, and what can be done. */
function Head(props: { readonly status: RunStatusResult }) {
  const app = useApp();
  const { runs, notices } = app;
  const { status } = props;
  const { summary, file, line } = status;
  const open = isOpen(summary.phase);
  const isStopping = useSignal(false);
  useEffect(() => {
    isStopping.value = false;
  }, [summary.phase]);
  const act = (task: Promise<void>) => void task.catch(notices.fail);
  return (
    <header class="run-head">
      <div>
        <h1>
          {summary.name} <span class={`phase ${summary.phase}`}>{phaseText(summary.phase)}</span>
        </h1>
        <p class="mute">
          <span class="mono">{file}</span> · <span class="mono">{summary.what}</span> ·{' '}
          {recorderText(summary.recorder)} · begun {momentText(summary.begun_s)}
        </p>
      </div>
      <div class="actions">
        {summary.has_result && (
          <button type="button" class="primary" onClick={() => act(runs.results.open(summary.run))}>
            {open ? 'Open what there is' : 'Open result'}
          </button>
        )}
        {open ? (
          <button
            type="button"
            class="control"
            disabled={isStopping.value}
            onClick={() => {
              isStopping.value = true;
              act(runs.cancel(summary.run));
            }}
          >
            {isStopping.value ? 'Stopping…' : 'Cancel'}
          </button>
        ) : (
          <>
            {summary.phase !== 'ended' && (
              <button
                type="button"
                class="primary"
                title="What has not ended well is run; what has is kept"
                onClick={() => act(runs.goOn(status, false))}
              >
                Go on
              </button>
            )}
            <button
              type="button"
              class="control"
              title="Run everything again, and keep the old runs"
              onClick={() => act(runs.goOn(status, true))}
            >
              Run again
            </button>
            <button
              type="button"
              class="control"
              title="Begin another one with this program and plan"
              onClick={() => runs.change(status)}
            >
              Change the plan…
            </button>
          </>
        )}
      </div>
      <div class="run-whole" role="status">
        <CountsBar counts={summary.counts} />
        <span>{countsText(summary.counts)}</span>
      </div>
      {line !== '' && (
        <p class={summary.phase === 'failed' ? 'problem' : 'mute line'} role="status">
          {line}
        </p>
      )}
    </header>
  );
}
