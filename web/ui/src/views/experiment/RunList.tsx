import type { ExperimentResult, ExperimentRun } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { distinct } from '../../state/distinct.ts';
import { results } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';

/** Runs that are asked for at once. */
const PAGE = 200;

/** Every run, and what is known of it. */
export function RunList(props: {
  readonly document: number;
  readonly experiment: ExperimentResult;
}) {
  const app = useApp();
  const { experiment } = props;
  const count = useSignal(PAGE);
  const open = useSignal<number | undefined>(undefined);
  const document = useFollowed(props.document);
  const runs = useMade(() => {
    const asked = distinct(() => ({ document: document.value, first: 0, count: count.value }));
    return results(app.engine, 'experiment', asked);
  });
  const { value, error, pending } = runs.state.value;
  const told = value?.runs ?? [];
  const troubled = told.filter(({ trouble }) => trouble !== '').length;
  return (
    <section class="run-list" aria-label="Runs">
      {error !== undefined && error.code !== 'disconnected' && (
        <p class="problem">
          {error.message} {error.hint}
        </p>
      )}
      <p class="caption">
        {formatThings(experiment.total_runs, 'run')} of{' '}
        {formatThings(experiment.cells.length, 'cell')}
        {troubled > 0 &&
          `; ${troubled} of those below failed, were disturbed, are outdated or doubtful`}
      </p>
      <div class="scrolled" tabIndex={0} role="group" aria-label="Runs with what is known of them">
        <table class="told">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" class="words of-cell">
                Cell
              </th>
              <th scope="col" class="words">
                Trouble
              </th>
            </tr>
          </thead>
          <tbody>
            {told.map((run, number) => (
              <Run
                key={number}
                run={run}
                cell={experiment.cells[run.cell]?.title ?? ''}
                isOpen={open.value === number}
                onToggle={() => {
                  open.value = open.value === number ? undefined : number;
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      {told.length < experiment.total_runs && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            count.value += PAGE * 4;
          }}
        >
          Show more ({told.length} of {experiment.total_runs} are shown)
        </button>
      )}
      {pending && <div class="busy" />}
    </section>
  );
}

function Run(props: {
  readonly run: ExperimentRun;
  readonly cell: string;
  readonly isOpen: boolean;
  onToggle(): void;
}) {
  const { run, isOpen } = props;
  return (
    <>
      <tr class={isOpen ? 'on' : ''}>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} onClick={props.onToggle}>
            {isOpen ? '▾' : '▸'} {run.name}
          </button>
        </th>
        <td class="words of-cell">{props.cell}</td>
        <td class="words trouble">
          <span title={run.trouble}>{run.trouble}</span>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={3} class="words">
            <dl class="facts">
              {run.facts.map(([name, text], at) => (
                <div key={at}>
                  <dt>{name}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}
