import type { Window } from './times.ts';

/** A stretch of time that is drawn narrower than it is. */
export interface Break extends Window {
  /** Where it is drawn. */
  readonly begin: number;
  readonly end: number;
}

/**
 * What stands where along a timeline. Places are nanoseconds of what is drawn at its full length; of
 * idle stretches only a narrow break is.
 *
 * ```text
 * times   0 ----- 5 ............... 95 ----- 100
 * places  0 ----- 5 . 6 ----- 11
 * ```
 */
export interface Axis {
  /** Of all places. */
  readonly length: number;
  readonly breaks: readonly Break[];
  placeOf(time: number): number;
  timeOf(place: number): number;
  /** The times between two places without the breaks. */
  parts(between: Window): readonly Window[];
}

/** Longer idle stretches are left out, as a share of what stays. */
const LEAST_IDLE = 0.02;
/** How wide a break is, as a share of what stays; all together are not wider than the other. */
const BREAK = 0.012;
const ALL_BREAKS = 0.3;

/** The axis that leaves out what of some idle stretches is long. */
export function axisOf(length: number, idle: readonly (readonly [number, number])[]): Axis {
  const breaks: Break[] = [];
  const { chosen, rest } = longOnes(length, idle);
  const wide = rest * Math.min(BREAK, ALL_BREAKS / Math.max(1, chosen.length));
  let less = 0;
  for (const [from, to] of chosen) {
    breaks.push({ from, to, begin: from - less, end: from - less + wide });
    less += to - from - wide;
  }
  return {
    length: length - less,
    breaks,
    placeOf(time) {
      const last = breaks.findLast(({ from }) => from <= time);
      if (last === undefined) return time;
      const { from, to, begin, end } = last;
      if (time >= to) return time - to + end;
      return begin + ((time - from) / (to - from)) * (end - begin);
    },
    timeOf(place) {
      const last = breaks.findLast(({ begin }) => begin <= place);
      if (last === undefined) return place;
      const { from, to, begin, end } = last;
      if (place >= end) return place - end + to;
      return from + ((place - begin) / (end - begin)) * (to - from);
    },
    parts({ from, to }) {
      const parts = [];
      let begin = this.timeOf(from);
      for (const one of breaks) {
        if (one.end <= from || one.begin >= to) continue;
        if (one.from > begin) parts.push({ from: begin, to: one.from });
        begin = one.to;
      }
      const end = this.timeOf(to);
      if (end > begin) parts.push({ from: begin, to: end });
      return parts;
    },
  };
}

/** The stretches that are long for what stays without them. */
function longOnes(length: number, idle: readonly (readonly [number, number])[]) {
  let rest = length;
  for (;;) {
    const chosen = idle.filter(([from, to]) => to - from > rest * LEAST_IDLE);
    const sum = chosen.reduce((all, [from, to]) => all + to - from, 0);
    // Instants alone last no time.
    const stays = Math.max(length - sum, length * 1e-6, 1);
    if (stays >= rest) return { chosen, rest };
    rest = stays;
  }
}
