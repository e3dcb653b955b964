import type { Palette } from '../../canvas/palette.ts';
import { rampClasses } from './ramp.ts';

/** A legend of the ramp, with what stands at its ends. */
export function Ramp(props: {
  readonly palette: Pick<Palette, 'fills'>;
  readonly from: string;
  readonly to: string;
  /** The classes from one end to the other; all of the ramp where undefined. */
  readonly classes?: readonly number[];
  /** What it tells, for screen readers. */
  readonly about: string;
}) {
  const colours = (props.classes ?? rampClasses()).map((at) => props.palette.fills[at] ?? '');
  return (
    <span class="ramp" role="img" aria-label={`Colours ${props.about}`}>
      {props.from}
      <i
        aria-hidden="true"
        style={{ background: `linear-gradient(to right, ${colours.join(', ')})` }}
      />
      {props.to}
    </span>
  );
}
