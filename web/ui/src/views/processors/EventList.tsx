import type { EventEntry } from '@hotframe/engine';
import { changeText, figureText, isEnough } from './figures.ts';

/** Every event and metric in all, of which one is chosen. */
export function EventList(props: {
  readonly rows: readonly EventEntry[];
  readonly runs: readonly number[];
  readonly chosen: string | undefined;
  onChoose(name: string): void;
}) {
  const { rows, runs, chosen, onChoose } = props;
  const isCompared = runs.length === 2;
  const told = rows.filter(({ sides }) => sides.some((side) => (side?.median ?? 0) !== 0));
  return (
    <div class="events">
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            {isCompared ? (
              <>
                <th scope="col">Base</th>
                <th scope="col">New</th>
                <th scope="col">Change</th>
                <th scope="col">Verdict</th>
              </>
            ) : (
              <>
                <th scope="col">{(runs[0] ?? 1) > 1 ? 'Median' : 'Count'}</th>
                <th scope="col">Per second</th>
                <th scope="col" title="Standard error that comes of sampling">
                  ±
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {told.map((row) => (
            <tr key={row.name} class={row.name === chosen ? 'on' : ''}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={row.name === chosen}
                  title={row.description}
                  onClick={() => onChoose(row.name)}
                >
                  {row.name}
                </button>
              </th>
              {isCompared ? <Compared row={row} /> : <Counted row={row} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Counted({ row }: { readonly row: EventEntry }) {
  const [side] = row.sides;
  const error = side?.error;
  const coverage = side?.coverage;
  return (
    <>
      <td>{figureText(row, side?.median)}</td>
      <td>{row.unit === null ? '' : figureText(row, side?.per_second)}</td>
      <td>
        {isEnough(row)
          ? error !== null && error !== undefined && `${(error * 100).toFixed(1)} %`
          : 'few samples'}
        {coverage !== null && coverage !== undefined && (
          <span class="mute"> counted {(coverage * 100).toFixed(0)} %</span>
        )}
      </td>
    </>
  );
}

function Compared({ row }: { readonly row: EventEntry }) {
  const { change, sides } = row;
  const interval = change?.interval;
  return (
    <>
      <td>{figureText(row, sides[0]?.median)}</td>
      <td>{figureText(row, sides[1]?.median)}</td>
      <td
        title={
          interval ? `95 %: ${changeText(interval[0])} to ${changeText(interval[1])}` : undefined
        }
      >
        {changeText(change?.ratio)}
      </td>
      <td class="verdict">{change?.verdict}</td>
    </>
  );
}
