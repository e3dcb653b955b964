import type { Lower, Need } from '../../state/view.ts';

/** What views by time need. */
export const TIMES: Need = {
  isIn: ({ tracks }) => tracks > 0,
  missing: 'This profile has no timestamps.',
};

/** The line below what is by time. */
export const BY_TIME: Omit<Lower, 'draw'> = {
  part: { name: 'timeline', standard: 0.62, least: 0.2, most: 0.9 },
  label: 'Height of what is by time',
};
