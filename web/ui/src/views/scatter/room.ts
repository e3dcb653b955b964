import type { Size } from '../../canvas/rect.ts';
import type { Place } from '../charts/shapes.ts';
import type { Mark, ScatterScene } from './marks.ts';

/** Around the plot: numbers and names of the axes. */
const LEFT = 62;
const BOTTOM = 42;
const TOP = 12;
const RIGHT = 14;
/** Width of a strip of marks without a place on an axis. */
const STRIP = 30;
/** Within the plot, so that marks at its edge are whole. */
const PAD = 10;
const MOST_RADIUS = 24;
const LEAST_RADIUS = 3;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of a scatter stands on the screen, in CSS pixels. */
export interface Room {
  readonly size: Size;
  readonly plot: Box;
  /** Beside and below the plot, where marks need them. */
  readonly noCalls: Box | undefined;
  readonly noValue: Box | undefined;
  /** The radius of the largest mark. */
  readonly most: number;
  /** Shares of the plot as a place. */
  at(x: number, y: number): Place;
}

export function roomOf(size: Size, scene: ScatterScene): Room {
  const has = (zone: Mark['zone']) => scene.marks.some((mark) => mark.zone === zone);
  const beside = has('no_calls') ? STRIP + 6 : 0;
  const below = has('no_value') ? STRIP + 6 : 0;
  const plot = {
    x: LEFT + beside,
    y: TOP,
    width: Math.max(1, size.width - LEFT - beside - RIGHT),
    height: Math.max(1, size.height - TOP - BOTTOM - below),
  };
  const inner = {
    width: Math.max(1, plot.width - 2 * PAD),
    height: Math.max(1, plot.height - 2 * PAD),
  };
  return {
    size,
    plot,
    noCalls: beside === 0 ? undefined : { ...plot, x: LEFT, width: STRIP },
    noValue: below === 0 ? undefined : { ...plot, y: plot.y + plot.height + 6, height: STRIP },
    most: Math.min(MOST_RADIUS, plot.width / 14, plot.height / 10),
    at: (x, y) => [plot.x + PAD + x * inner.width, plot.y + plot.height - PAD - y * inner.height],
  };
}

/** Where a mark stands and how large it is. */
export function placed(room: Room, mark: Mark): { readonly at: Place; readonly radius: number } {
  const [x, y] = room.at(mark.x, mark.y);
  const radius = Math.max(LEAST_RADIUS, mark.radius * room.most);
  switch (mark.zone) {
    case 'plot':
      return { at: [x, y], radius };
    case 'no_calls':
      return {
        at: [(room.noCalls?.x ?? 0) + STRIP / 2, y],
        radius: Math.min(radius, STRIP / 2 - 2),
      };
    case 'no_value':
      return {
        at: [x, (room.noValue?.y ?? 0) + STRIP / 2],
        radius: Math.min(radius, STRIP / 2 - 2),
      };
  }
}

/** The mark at a place: the topmost one that is under it, else the nearest within a few pixels. */
export function markAt(room: Room, marks: readonly Mark[], [x, y]: Place): Mark | undefined {
  let nearest: Mark | undefined;
  let least = 4;
  for (const mark of marks) {
    const { at, radius } = placed(room, mark);
    const away = Math.hypot(at[0] - x, at[1] - y) - radius;
    // Later marks lie above earlier ones.
    if (away <= 0 ? least > 0 || away <= 0 : away < least) {
      nearest = mark;
      least = Math.max(0, away);
    }
  }
  return nearest;
}

/** The marks whose middle is in a rectangle between two corners. */
export function marksIn(room: Room, marks: readonly Mark[], from: Place, to: Place): Mark[] {
  const inside = (value: number, one: number, other: number) =>
    value >= Math.min(one, other) && value <= Math.max(one, other);
  return marks.filter((mark) => {
    const { at } = placed(room, mark);
    return inside(at[0], from[0], to[0]) && inside(at[1], from[1], to[1]);
  });
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The next mark in a direction: near, and rather ahead than aside. */
export function nextMark(
  room: Room,
  marks: readonly Mark[],
  from: Mark,
  towards: Direction,
): Mark | undefined {
  const [x, y] = placed(room, from).at;
  const along = towards === 'left' || towards === 'right' ? 0 : 1;
  const sign = towards === 'left' || towards === 'up' ? -1 : 1;
  let best: Mark | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    if (mark === from) continue;
    const { at } = placed(room, mark);
    const apart = [at[0] - x, at[1] - y] as const;
    const ahead = apart[along] * sign;
    const aside = Math.abs(apart[1 - along]!);
    // Marks on one place are gone through one after the other.
    const isSame = ahead === 0 && aside === 0;
    if (isSame ? marks.indexOf(mark) <= marks.indexOf(from) : ahead <= 0) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [mark, far];
  }
  return best;
}
