import { classOf } from '../../canvas/colour.ts';
import { SELF_STEPS } from '../../canvas/generated/colours.ts';

/** The classes of the ramp that tells how much, from least to most. */
export function rampClasses(): readonly number[] {
  return Array.from({ length: SELF_STEPS }, (_, step) => classOf(step << 24, 'self_share'));
}
