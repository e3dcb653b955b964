import type { EventEntry } from '@hotframe/engine';
import { changeText, figureText, isEnough } from './figures.ts';
import type { RunSets } from './sets.ts';

/** Every event and metric in all, of which one is chosen. */
export function EventList(props: {
  readonly rows: readonly EventEntry[];
  readonly sets: RunSets;
  readonly chosen: string | undefined;
  onChoose(name: string): void;
}) {
  const { rows, sets, chosen, onChoose } = props;
  const told = rows.filter(({ sides }) => sides.some((side) => (side?.median ?? 0) !== 0));
  const [Cells, titles] = columnsOf(sets);
  return (
    <div class="events">
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            {titles.map(([title, hint], column) => (
              <th
                scope="col"
                key={column}
                title={hint}
                class={title === 'Verdict' ? 'verdict' : ''}
              >
                {title}
              </th>
            ))}
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
              <Cells row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Title = readonly [string, string?];

/** How cells are told, and what stands above them. */
function columnsOf({ names, runs, isCompared }: RunSets) {
  if (isCompared)
    return [Compared, [['Base'], ['New'], ['Change'], ['Verdict']] as Title[]] as const;
  if (names.length > 1) {
    const titles = names.map((name, set): Title => {
      const isSeveral = (runs[set] ?? 1) > 1;
      return isSeveral ? [name, `Median of ${runs[set]} runs`] : [name];
    });
    return [Beside, titles] as const;
  }
  const titles: Title[] = [
    [(runs[0] ?? 1) > 1 ? 'Median' : 'Count'],
    ['Per second'],
    ['±', 'Standard error that comes of sampling'],
  ];
  return [Counted, titles] as const;
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

/** What each set has, where there are more than are compared. */
function Beside({ row }: { readonly row: EventEntry }) {
  return (
    <>
      {row.sides.map((side, set) => {
        const { least, most, is_enough } = side ?? { least: null, most: null, is_enough: true };
        const range =
          least !== null && least !== most
            ? `${figureText(row, least)} to ${figureText(row, most)}`
            : '';
        const few = is_enough ? '' : 'less than ten samples in a run';
        const title = [range, few].filter((text) => text !== '').join('; ');
        return (
          <td key={set} title={title === '' ? undefined : title} class={is_enough ? '' : 'mute'}>
            {figureText(row, side?.median)}
            {is_enough ? '' : ' (few)'}
          </td>
        );
      })}
    </>
  );
}

/** `more (worse)`, `unknown (1 run on a side)`. */
function verdictOf(change: EventEntry['change']): string {
  if (change === null) return '';
  return change.reason === '' ? change.verdict : `${change.verdict} (${change.reason})`;
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
        {/* Where there is no room for a column. */}
        <small class="verdict-below">{verdictOf(change)}</small>
      </td>
      <td class="verdict">{verdictOf(change)}</td>
    </>
  );
}
