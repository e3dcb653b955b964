import type { ExperimentCell, ExperimentEstimate, ExperimentValue } from '@hotframe/engine';
import type { TargetedMouseEvent, TargetedPointerEvent } from 'preact';
import type { Palette } from '../../canvas/palette.ts';
import { formatThings } from '../../text/units.ts';
import { type Place, reason } from './grid.ts';
import { heatClass } from './heat.ts';

/** What all cells share: their colours, and the axis of their whiskers. */
export interface Heat {
  readonly palette: Pick<Palette, 'fills' | 'inks'>;
  /** How many times the best the strongest colour is. */
  readonly most: number;
  readonly range: { readonly low: number; readonly high: number };
}

/** A cell: its mean with its interval, how far that is from the best, and its runs. */
export function MatrixCell(props: {
  readonly place: Place;
  readonly cell: ExperimentCell | undefined;
  readonly value: ExperimentValue | undefined;
  readonly side: 'base' | 'new' | undefined;
  readonly isCursor: boolean;
  readonly isMarked: boolean;
  readonly heat: Heat;
  onPress(event: TargetedPointerEvent<HTMLElement>): void;
  onOver(): void;
  onClick(event: TargetedMouseEvent<HTMLElement>): void;
}) {
  const { place, cell, value, side, heat } = props;
  const mean = value?.mean ?? null;
  const fill = heatClass(value?.to_best ?? null, heat.most);
  const classes = ['cell', side, props.isMarked && 'marked', mean === null && 'none'];
  return (
    <td
      class={classes.filter((name) => typeof name === 'string').join(' ')}
      role="gridcell"
      tabIndex={props.isCursor ? 0 : -1}
      aria-selected={side !== undefined}
      data-at={`${place.row}.${place.column}`}
      title={cell && mean ? `${cell.title}\n95 %: ${mean.interval}` : undefined}
      style={
        fill === undefined
          ? undefined
          : { background: heat.palette.fills[fill], color: heat.palette.inks[0] }
      }
      onPointerDown={props.onPress}
      onPointerEnter={props.onOver}
      onClick={props.onClick}
    >
      {mean === null ? (
        <span class="why">{reason(cell, value)}</span>
      ) : (
        <>
          <span class="value">
            <b>{mean.text}</b>{' '}
            <span class="ratio">
              {value?.to_best_text !== 'the least' && mean.value > 0 && value?.to_best_text}
              {value?.to_best_text === 'the least' && 'least'}
            </span>
          </span>
          <Whisker mean={mean} range={heat.range} />
          <span class="interval">{mean.interval}</span>
        </>
      )}
      {cell !== undefined && (
        <span class="runs">
          {formatThings(cell.runs, 'run')}
          {cell.left_out > 0 && `, ${cell.left_out} left out`}
        </span>
      )}
      {side !== undefined && <span class="side">{side}</span>}
    </td>
  );
}

/** The mean and its interval, on one axis in all cells. */
function Whisker(props: { readonly mean: ExperimentEstimate; readonly range: Heat['range'] }) {
  const { low, high } = props.range;
  const at = (value: number) => `${(6 + 88 * ((value - low) / (high - low || 1))).toFixed(1)}%`;
  const { mean } = props;
  return (
    <svg class="whisker" aria-hidden="true">
      {mean.low !== null && mean.high !== null && (
        <line x1={at(mean.low)} x2={at(mean.high)} y1="50%" y2="50%" />
      )}
      <circle cx={at(mean.value)} cy="50%" r="3" />
    </svg>
  );
}
