import type { Place } from '../charts/shapes.ts';

/** Corners of routes are as round as this, in view units. */
const ROUND = 14;
/** Length of an arrow's head beside half of its line's width. */
const HEAD = 7;

/** A route as an SVG path with round corners, up to where its arrow begins. */
export function pathOf(route: readonly Place[], width: number): string {
  const points = [...route];
  const end = points.pop();
  const before = points.at(-1);
  if (end === undefined || before === undefined) return '';
  points.push(towards(end, before, headOf(width) * 0.8));
  const [first, ...further] = points;
  const parts = [`M${near(first!)}`];
  further.forEach((point, at) => {
    const [from, next] = [points[at]!, further[at + 1]];
    if (next === undefined) parts.push(`L${near(point)}`);
    else {
      const round = (to: Place) => towards(point, to, Math.min(ROUND, distance(point, to) / 2));
      const [into, out] = [round(from), round(next)];
      parts.push(`L${near(into)}Q${near(point)} ${near(out)}`);
    }
  });
  return parts.join('');
}

/** The head of its arrow, as a path of its own. */
export function arrowOf(route: readonly Place[], width: number): string {
  const [end, before] = [route.at(-1), route.at(-2)];
  if (end === undefined || before === undefined) return '';
  const length = headOf(width);
  const base = towards(end, before, length);
  const [right, down] = [end[0] - base[0], end[1] - base[1]];
  const side = 0.45;
  const left = [base[0] - down * side, base[1] + right * side] as const;
  const other = [base[0] + down * side, base[1] - right * side] as const;
  return `M${near(end)}L${near(left)}L${near(other)}Z`;
}

/** The place at a share of the length of a route. */
export function alongRoute(route: readonly Place[], share: number): Place {
  const lengths = route.slice(1).map((point, at) => distance(route[at]!, point));
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (let at = 0; at < lengths.length; at++) {
    if (left <= lengths[at]! && lengths[at]! > 0) {
      return towards(route[at]!, route[at + 1]!, left);
    }
    left -= lengths[at]!;
  }
  return route.at(-1) ?? [0, 0];
}

const headOf = (width: number) => HEAD + width / 2;

const distance = (a: Place, b: Place) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** So far from one place towards another, but no further than that. */
function towards(from: Place, to: Place, far: number): Place {
  const length = distance(from, to);
  if (length === 0) return from;
  const share = Math.min(far, length) / length;
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

const near = (place: Place) => place.map((one) => one.toFixed(1)).join(' ');
