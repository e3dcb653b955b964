import type { ExperimentLine, ExperimentQuantityParams } from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { distinct } from '../../state/distinct.ts';
import { type ExportedTable, useChartExports } from '../../state/exports.ts';
import { results } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';
import { inksOf } from '../charts/inks.ts';
import { svgOf } from '../charts/shapes.ts';
import { choose, type Sides } from './grid.ts';
import { HistoryLine } from './HistoryLine.tsx';
import { historyPicture } from './history-picture.ts';
import { historyCsv } from './sheets.ts';

/** Lines that are drawn: more are none that anybody compares. */
const MOST_LINES = 12;

/** A quantity level by level, with the places where it jumps. */
export function HistoryView(props: {
  readonly asked: ReadonlySignal<ExperimentQuantityParams | undefined>;
  readonly factor: string;
  readonly sides: Sides;
  /** Tables that are saved, too. */
  readonly tables: readonly ExportedTable[];
  onChoose(sides: Sides): void;
}) {
  const app = useApp();
  const factor = useFollowed(props.factor);
  const history = useMade(() => {
    const asked = distinct(() =>
      props.asked.value === undefined || factor.value === ''
        ? undefined
        : { ...props.asked.value, factor: factor.value },
    );
    return results(app.engine, 'experiment_history', asked);
  });
  const { value: told, error, pending } = history.state.value;
  useChartExports(() => {
    if (told === undefined) return undefined;
    return {
      label: 'History',
      picture() {
        const inks = inksOf(document.documentElement);
        const { shapes, size } = historyPicture(told, told.lines.slice(0, MOST_LINES), inks);
        return svgOf(shapes, size, inks.paper);
      },
      csv: () => ({ text: historyCsv(told), file_name: 'history.csv' }),
      tables: props.tables,
    };
  });
  if (props.factor === '') return <p class="message">Nothing was varied: there is no history.</p>;
  return (
    <section class="history" aria-label="History">
      {error !== undefined && error.code !== 'disconnected' && (
        <p class="problem">
          {error.message} {error.hint}
        </p>
      )}
      {told !== undefined && <p class="caption">{told.caption}</p>}
      {told?.lines.slice(0, MOST_LINES).map((line) => (
        <div key={line.title} class="history-line">
          {line.title !== '' && <h2>{line.title}</h2>}
          <HistoryLine
            history={told}
            line={line}
            sides={props.sides}
            onPick={(cell) => props.onChoose(choose(props.sides, [cell]))}
          />
          <Changes line={line} factor={told.factor} onChoose={props.onChoose} />
        </div>
      ))}
      {(told?.lines.length ?? 0) > MOST_LINES && (
        <p class="mute">
          The first {MOST_LINES} of {formatThings(told!.lines.length, 'line')}.
        </p>
      )}
      {pending && <div class="busy" />}
    </section>
  );
}

/** Where a line jumps, in words. */
function Changes(props: {
  readonly line: ExperimentLine;
  readonly factor: string;
  onChoose(sides: Sides): void;
}) {
  const { line, factor } = props;
  if (line.changes.length === 0)
    return <p class="mute">No jump that is more than the scatter of runs.</p>;
  return (
    <ul class="changes">
      {line.changes.map(({ step, before, sentence }) => {
        const [one, other] = [line.steps[before]!, line.steps[step]!];
        return (
          <li key={step}>
            <button
              type="button"
              class="plain"
              title="Which functions make the difference"
              onClick={() => props.onChoose({ base: [one.cell], now: [other.cell] })}
            >
              ◆ {sentence}
            </button>
            {factor === 'revision' && (
              <p class="mute">
                It came between {told(one.level, one.subject)} and{' '}
                {told(other.level, other.subject)}. To find the commit, add one from between them to{' '}
                <code>revision</code> in the plan and run it again: only what is missing runs. In a
                terminal, <code>hotframe experiment history</code> names the one in the middle.
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function told(level: string, subject: string): string {
  return subject === '' ? level : `${level} (${subject})`;
}
