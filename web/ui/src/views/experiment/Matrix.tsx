import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { stateOf } from '../../state/address-part.ts';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { Ramp } from '../charts/Ramp.tsx';
import type { Measured } from './experiment.ts';
import {
  cellsBetween,
  choose,
  type Grid,
  isBetween,
  known,
  moved,
  type Place,
  type Sides,
  widen,
} from './grid.ts';
import { strongest } from './heat.ts';
import { GridHead } from './GridHead.tsx';
import { MatrixCell } from './MatrixCell.tsx';
import { EXPERIMENT_PART } from './state.ts';

const NOWHERE: Place = { row: 0, column: 0 };

/** Cells with what was measured in them, of which groups are chosen. */
export function Matrix(props: {
  readonly measured: Measured;
  readonly grid: Grid;
  readonly sides: Sides;
  onChoose(sides: Sides): void;
  onProfiles(): void;
}) {
  const { app, commands } = useServices();
  const { grid, sides, onChoose } = props;
  const { experiment, matrix } = props.measured;
  const table = useRef<HTMLTableElement>(null);
  const cursor = useSignal<Place>(NOWHERE);
  /** The other corner of what is about to be chosen. */
  const anchor = useSignal<Place>(NOWHERE);
  const dragged = useRef(false);
  const at = moved(grid, cursor.value, NOWHERE);
  const from = moved(grid, anchor.value, NOWHERE);
  // Keys may follow each other before the next drawing.
  const chosen = () => known(stateOf(app.view.peek(), EXPERIMENT_PART), experiment.cells.length);

  const focus = ({ row, column }: Place) =>
    table.current?.querySelector<HTMLElement>(`[data-at="${row}.${column}"]`)?.focus();
  const go = (row: number, column: number, extends_ = false) => {
    const next = moved(grid, cursor.peek(), { row, column });
    cursor.value = next;
    if (!extends_) anchor.value = next;
    focus(next);
  };
  const chooseRange = (one: Place, other: Place) =>
    onChoose(choose(chosen(), cellsBetween(grid, one, other)));
  const far = Number.MAX_SAFE_INTEGER;
  useCommands(commands, () => table.current, {
    left: () => go(0, -1),
    right: () => go(0, 1),
    parent: () => go(-1, 0),
    child: () => go(1, 0),
    row_first: () => go(-far, -far),
    row_last: () => go(far, far),
    extend_left: () => go(0, -1, true),
    extend_right: () => go(0, 1, true),
    extend_up: () => go(-1, 0, true),
    extend_down: () => go(1, 0, true),
    choose_range() {
      chooseRange(anchor.peek(), cursor.peek());
      anchor.value = cursor.peek();
    },
    compare_ranges: props.onProfiles,
    escape() {
      anchor.value = cursor.peek();
      onChoose({ base: [], now: [] });
    },
  });
  useEffect(() => {
    const drop = () => {
      if (!dragged.current) return;
      dragged.current = false;
      const [one, other] = [anchor.peek(), cursor.peek()];
      if (one.row !== other.row || one.column !== other.column) chooseRange(one, other);
    };
    addEventListener('pointerup', drop);
    return () => removeEventListener('pointerup', drop);
  });

  const palette = paletteOf(app.theme.shown.value, document.documentElement);
  const most = strongest(matrix.cells.map(({ to_best }) => to_best));
  const ends = matrix.cells.flatMap(({ mean }) =>
    mean === null ? [] : [mean.low ?? mean.value, mean.high ?? mean.value],
  );
  const range = { low: Math.min(...ends), high: Math.max(...ends) };
  const isRange = from.row !== at.row || from.column !== at.column;
  return (
    <div class="matrix-box">
      <table
        ref={table}
        class="matrix"
        role="grid"
        aria-multiselectable="true"
        aria-label={matrix.caption}
        data-scope="experiment"
      >
        <GridHead grid={grid} title={matrix.title} />
        {grid.blocks.map((block) => (
          <tbody key={block.title}>
            {block.title !== '' && (
              <tr>
                <th scope="rowgroup" colSpan={grid.columns.length + 1} class="block">
                  {block.title}
                </th>
              </tr>
            )}
            {block.rows.map(({ title, cells }, index) => {
              const row = block.first + index;
              return (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  {cells.map((cell, column) => {
                    const place = { row, column };
                    return (
                      <MatrixCell
                        key={column}
                        place={place}
                        cell={cell === undefined ? undefined : experiment.cells[cell]}
                        value={cell === undefined ? undefined : matrix.cells[cell]}
                        side={sideOf(sides, cell)}
                        isCursor={row === at.row && column === at.column}
                        isMarked={isRange && isBetween(place, from, at)}
                        heat={{ palette, most, range }}
                        onPress={(event) => {
                          cursor.value = place;
                          if (event.shiftKey) return;
                          anchor.value = place;
                          dragged.current = event.pointerType === 'mouse' && event.button === 0;
                        }}
                        onOver={() => {
                          if (dragged.current) cursor.value = place;
                        }}
                        onClick={(event) => {
                          focus(place);
                          if (!event.shiftKey) chooseRange(place, place);
                          else onChoose(widen(chosen(), cellsBetween(grid, anchor.peek(), place)));
                          if (!event.shiftKey) anchor.value = place;
                        }}
                      />
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
      <p class="matrix-key">
        <Ramp
          palette={palette}
          from="the least"
          to={`×${Number(most.toPrecision(3))}`}
          about="from the least of all cells to many times that"
        />
        <span class="mute">
          Click a cell and then another, or drag over several, to see which functions make the
          difference
        </span>
      </p>
    </div>
  );
}

function sideOf({ base, now }: Sides, cell: number | undefined): 'base' | 'new' | undefined {
  if (cell === undefined) return undefined;
  return base.includes(cell) ? 'base' : now.includes(cell) ? 'new' : undefined;
}
