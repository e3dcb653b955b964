import { type AccessesRun, plainLines } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { DistanceHistogram } from './DistanceHistogram.tsx';
import { chosenText, find, isSame } from './containers.ts';
import { about, addressOf, lineOf } from './elements.ts';
import { histogramFrom } from './histogram.ts';
import { useTold } from './told.ts';
import { addressText, allText, rangeText } from './words.ts';

/** All about the chosen element; the one under the pointer while none is chosen. */
export function ElementPanel() {
  const { accesses } = useApp();
  const told = useTold();
  const view = accesses.view.value;
  const isRecorded = accesses.isRecorded.value;
  if (told === undefined) return <p class="mute">…</p>;
  const { run } = told;
  const shown = view.chosen.at(-1) ?? accesses.hovered.value;
  const found = find(run, shown);
  const container = found && run.result.containers[found.number];
  if (!run.result.has_each) {
    return (
      <p class="mute">
        Single elements are listed {isRecorded ? 'of shorter recordings' : 'at smaller sizes'},
        where each access is.
      </p>
    );
  }
  if (shown === undefined) {
    return <p class="mute">Click an element; several clicks choose several.</p>;
  }
  if (found === undefined || container === undefined) {
    return (
      <>
        <p class="mute" role="note">
          There is no {chosenText(run, shown)} {isRecorded ? 'in this recording' : 'at these sizes'}
          .
        </p>
        <Chosen run={run} />
      </>
    );
  }
  const lines = plainLines(view);
  const ranged = rangeText(run, view.range, isRecorded);
  const own = about(run, found.number, found.element, lines, view.range);
  const { distances } = own;
  return (
    <>
      <h2>{chosenText(run, shown)}</h2>
      <p class="mute number">
        address {addressText(addressOf(container, found.element), isRecorded)}, line{' '}
        {formatInteger(lineOf(container, found.element, run.program.line))}
      </p>
      {ranged !== undefined && (
        <p class="mute" role="note">
          What {ranged} do alone, not {allText(isRecorded)}.
        </p>
      )}
      <table class="values graph-costs">
        <tbody>
          {(
            [
              ['reads', own.reads],
              ['writes', own.writes],
              ['cold misses', own.cold],
              ['capacity misses', own.capacity],
              ...(lines === undefined ? [['conflict misses', own.conflict] as const] : []),
              ...(distances.length > 0
                ? ([
                    ['smallest distance', distances[0]!],
                    ['median distance', distances[(distances.length - 1) >> 1]!],
                    ['largest distance', distances.at(-1)!],
                  ] as const)
                : []),
            ] as const
          ).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatInteger(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>By distance, in lines</h3>
      <DistanceHistogram
        bars={histogramFrom(distances, own.reads + own.writes - distances.length)}
        lines={lines}
      />
      <Chosen run={run} />
    </>
  );
}

/** All that is chosen. */
function Chosen({ run }: { readonly run: AccessesRun }) {
  const { accesses } = useApp();
  const { chosen } = accesses.view.value;
  if (chosen.length === 0) return null;
  return (
    <>
      <h3>Chosen</h3>
      <ul class="accesses-chosen">
        {chosen.map((own) => (
          <li key={chosenText(run, own)} class={find(run, own) === undefined ? 'mute' : ''}>
            <code>{chosenText(run, own)}</code>
            <button
              type="button"
              class="plain"
              aria-label="Deselect"
              onClick={() =>
                accesses.update(
                  { chosen: chosen.filter((one) => !isSame(run, one, own)) },
                  'replace',
                )
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
