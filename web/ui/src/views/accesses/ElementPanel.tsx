import { plainLines } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { DistanceHistogram } from './DistanceHistogram.tsx';
import { about, addressOf, indicesOf, lineOf } from './elements.ts';
import { histogramFrom } from './histogram.ts';
import { useTold } from './told.ts';

/** All about the chosen element; the one under the pointer while none is chosen. */
export function ElementPanel() {
  const { accesses } = useApp();
  const told = useTold();
  const view = accesses.view.value;
  if (told === undefined) return <p class="mute">…</p>;
  const { run } = told;
  const shown = view.chosen.at(-1) ?? accesses.hovered.value;
  const number = run.result.containers.findIndex(({ name }) => name === shown?.container);
  const container = run.result.containers[number];
  if (!run.result.has_each) {
    return <p class="mute">Single elements are told at smaller sizes, where each access is.</p>;
  }
  if (shown === undefined || container === undefined) {
    return <p class="mute">Click an element; several clicks choose several.</p>;
  }
  const lines = plainLines(view);
  const own = about(run, number, shown.element, lines, view.range);
  const { distances } = own;
  return (
    <>
      <h2>
        {container.name}[{indicesOf(container.shape, shown.element).join(', ')}]
      </h2>
      <p class="mute number">
        address {formatInteger(addressOf(container, shown.element))}, line{' '}
        {formatInteger(lineOf(container, shown.element, run.program.line))}
      </p>
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
      {view.chosen.length > 0 && (
        <>
          <h3>Chosen</h3>
          <ul class="accesses-chosen">
            {view.chosen.map(({ container: name, element }) => {
              const shape = run.result.containers.find((one) => one.name === name)?.shape ?? [];
              return (
                <li key={`${name} ${element}`}>
                  <code>
                    {name}[{indicesOf(shape, element).join(', ')}]
                  </code>
                  <button
                    type="button"
                    class="plain"
                    aria-label="Choose it no more"
                    onClick={() =>
                      accesses.update(
                        {
                          chosen: view.chosen.filter(
                            (one) => one.container !== name || one.element !== element,
                          ),
                        },
                        'replace',
                      )
                    }
                  >
                    ×
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </>
  );
}
