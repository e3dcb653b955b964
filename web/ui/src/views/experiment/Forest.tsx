import type { ExperimentEstimate } from '@hotframe/engine';
import { placeOf, type RatioAxis, tickText } from './ratios.ts';

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** The numbers above intervals. */
export function ForestHead({ axis }: { readonly axis: RatioAxis }) {
  return (
    <span class="forest-ticks" aria-hidden="true">
      {axis.ticks.map((tick) => (
        <i key={tick} style={{ left: percent(placeOf(axis, tick)) }}>
          {tickText(tick)}
        </i>
      ))}
    </span>
  );
}

/** A ratio with its interval; beside it stands what it says. */
export function Forest(props: {
  readonly axis: RatioAxis;
  readonly ratio: ExperimentEstimate | null;
  readonly believed: boolean;
}) {
  const { axis, ratio, believed } = props;
  const at = (value: number) => percent(placeOf(axis, value));
  return (
    <svg class={believed ? 'forest believed' : 'forest'} aria-hidden="true">
      {axis.ticks.map((tick) => (
        <line
          key={tick}
          class={tick === 1 ? 'one' : 'grid'}
          x1={at(tick)}
          x2={at(tick)}
          y1="0"
          y2="100%"
        />
      ))}
      {ratio !== null && ratio.low !== null && ratio.high !== null && (
        <line class="whisker" x1={at(ratio.low)} x2={at(ratio.high)} y1="50%" y2="50%" />
      )}
      {ratio !== null && <circle cx={at(ratio.value)} cy="50%" r="4" />}
    </svg>
  );
}

/** Which way it went, not by a colour alone. */
export function Sign({ value, zero }: { readonly value: number; readonly zero: number }) {
  return <span class="sign">{value > zero ? '[+]' : value < zero ? '[-]' : '[=]'}</span>;
}

/** The ends of intervals, for the axis that holds them. */
export function endsOf(
  ratios: readonly (ExperimentEstimate | null)[],
): readonly (readonly [number, number])[] {
  return ratios.flatMap((ratio) =>
    ratio === null ? [] : [[ratio.low ?? ratio.value, ratio.high ?? ratio.value] as const],
  );
}
