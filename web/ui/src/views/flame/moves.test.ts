import { describe, expect, it } from 'vitest';
import { contentHeight, placeBox, ROW_HEIGHT } from '../../canvas/paint.ts';
import { sceneOf } from '../../canvas/scene.fixture.ts';
import { createScene, type Scene } from '../../canvas/scene.ts';
import { type Viewport, WHOLE } from '../../canvas/viewport.ts';
import { NO_ZOOM } from '../../state/view-state.ts';
import {
  boxAhead,
  boxBehind,
  boxBeside,
  boxUnder,
  boxViewport,
  clampViewport,
  closerViewport,
  isWhole,
  keysOf,
  placeOfBox,
  viewportWith,
  zoomInto,
  zoomOutOf,
} from './moves.ts';

const SCENE = sceneOf(`
  aaaaaaaaaa
  bbbbbbCC#.
  dd.EEE....
`);
const [A, B, C, MERGED, D, E] = [0, 1, 2, 3, 4, 5];
const SIZE = { width: 1020, height: 400 };
const ALL: Viewport = { ...WHOLE, top: 0 };
const keys = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const boxes = (scene: Scene) => Array.from({ length: scene.count }, (_, box) => box);

/** The same boxes below another root. */
function zoomedTo(scene: Scene, path: string, root: number): Scene {
  const { subject, window, result, boxes: columns } = scene;
  const breadcrumb = keys(path).map((key, depth) => ({
    node: depth + 1,
    key,
    name: '',
    label: null,
  }));
  const told = { ...result, breadcrumb };
  return createScene({ ...subject, path: keys(path) }, window, root, told, columns);
}

describe('places of a flame graph', () => {
  it.each([false, true])('are found where boxes are drawn (inverted: %s)', (inverted) => {
    for (const viewport of [ALL, { from: 0.3, to: 0.7, top: 0 }, { from: 0, to: 0.9, top: 15 }]) {
      const picture = { scene: SCENE, viewport, size: SIZE, inverted };
      for (const box of boxes(SCENE)) {
        const { x, y, width } = placeBox(picture, box);
        const middle = x + width / 2;
        if (middle < 0 || middle > SIZE.width || y < 0) continue;
        const at = { x: middle, y: y + ROW_HEIGHT / 2 };
        expect(boxUnder(SCENE, viewport, SIZE, inverted, at)).toBe(box);
      }
    }
  });

  it('are none beside boxes', () => {
    expect(boxUnder(SCENE, ALL, SIZE, false, { x: 500, y: 300 })).toBeUndefined();
    expect(boxUnder(SCENE, ALL, SIZE, false, { x: 990, y: 35 })).toBeUndefined();
  });
});

describe('a viewport', () => {
  it('shows a box as wide as the root would be, and a part of it as that part', () => {
    expect(boxViewport(SCENE, B, WHOLE)).toEqual({ from: 0, to: 0.6, top: ROW_HEIGHT });
    const part = boxViewport(SCENE, E, { from: 0.5, to: 1, top: 3 });
    expect(part.from).toBeCloseTo(0.45, 12);
    expect(part.to).toBeCloseTo(0.6, 12);
    expect(part.top).toBe(2 * ROW_HEIGHT + 3);
  });

  it('looks closer at merged frames, with what is around them', () => {
    const { from, to, top } = closerViewport(SCENE, MERGED, 17);
    expect(from).toBeLessThan(0.8);
    expect(to).toBeGreaterThan(0.9);
    expect(top).toBe(17);
  });

  it('stays over the graph', () => {
    const low = { width: 1020, height: 40 };
    const most = contentHeight(SCENE) - low.height;
    expect(clampViewport({ from: -0.2, to: 0.3, top: 999 }, SCENE, low)).toEqual({
      from: 0,
      to: 0.5,
      top: most,
    });
    expect(clampViewport({ ...ALL, top: 5 }, undefined, low)).toEqual(ALL);
    expect(clampViewport({ ...ALL, top: 5 }, SCENE, SIZE)).toEqual(ALL);
  });

  it('is whole but for what rounding leaves', () => {
    expect(isWhole({ from: 0, to: 1 })).toBe(true);
    expect(isWhole({ from: 1e-12, to: 1 })).toBe(true);
    expect(isWhole({ from: 0, to: 0.999 })).toBe(false);
  });
});

describe('bringing a box into sight', () => {
  it('does nothing where it is', () => {
    for (const box of boxes(SCENE))
      expect(viewportWith(placeOfBox(SCENE, box), ALL, SIZE)).toBeUndefined();
  });

  it('goes aside as closely as before', () => {
    const view = viewportWith(placeOfBox(SCENE, C), { from: 0, to: 0.2, top: 0 }, SIZE)!;
    expect(view.to - view.from).toBeCloseTo(0.2, 12);
    expect((view.from + view.to) / 2).toBeCloseTo(0.7, 12);
  });

  it('goes closer to what could not be seen', () => {
    const narrow = { width: 40, height: 400 };
    const view = viewportWith(placeOfBox(SCENE, MERGED), ALL, narrow)!;
    expect(view.to - view.from).toBeLessThan(1);
    expect(view.from).toBeLessThan(0.8);
    expect(view.to).toBeGreaterThan(0.9);
  });

  it('scrolls to rows above and below', () => {
    const low = { width: 1020, height: 45 };
    expect(viewportWith(placeOfBox(SCENE, E), ALL, low)?.top).toBe(2 * ROW_HEIGHT - 22.5);
    expect(viewportWith(placeOfBox(SCENE, A), { ...ALL, top: 30 }, low)?.top).toBe(-22.5);
  });

  it('is done once', () => {
    for (const box of boxes(SCENE)) {
      for (let from = 0; from < 0.9; from += 0.07) {
        const view = { from, to: from + 0.1, top: 0 };
        const next = viewportWith(placeOfBox(SCENE, box), view, SIZE);
        if (next !== undefined)
          expect(viewportWith(placeOfBox(SCENE, box), next, SIZE)).toBeUndefined();
      }
    }
  });
});

describe('a zoom', () => {
  const path = [1, 2, 3];

  it('remembers where it stopped on the way in, and goes back that way', () => {
    const first = zoomInto(NO_ZOOM, [1])!;
    const second = zoomInto(first, path)!;
    expect(second).toEqual({ path, stops: [0, 1], range: WHOLE });
    expect(zoomOutOf(second)).toEqual({ path: [1], stops: [0], range: WHOLE });
    expect(zoomOutOf(zoomOutOf(second)!)).toEqual({ path: [], stops: [], range: WHOLE });
    expect(zoomOutOf(NO_ZOOM)).toBeUndefined();
  });

  it('keeps the stops that lead elsewhere too', () => {
    const zoom = { path: [1, 2, 3, 4], stops: [0, 1, 3], range: WHOLE };
    expect(zoomInto(zoom, [1, 2, 9])?.stops).toEqual([0, 1]);
    expect(zoomInto(zoom, [7])?.stops).toEqual([0]);
    expect(zoomInto(zoom, [1])?.stops).toEqual([0]);
    expect(zoomInto(zoom, [])?.stops).toEqual([]);
  });

  it('to where it is, is none', () => {
    expect(zoomInto({ path, stops: [0], range: { from: 0.2, to: 0.4 } }, path)).toBeUndefined();
    expect(zoomInto(NO_ZOOM, [])).toBeUndefined();
  });

  it('goes out to the whole program where no stop is known, or a stop leads nowhere', () => {
    expect(zoomOutOf({ path, stops: [], range: WHOLE })).toEqual(NO_ZOOM);
    expect(zoomOutOf({ path, stops: [3], range: WHOLE })).toEqual(NO_ZOOM);
  });
});

describe('another root', () => {
  const whole = SCENE;
  const atB = zoomedTo(SCENE, 'b', B);

  it('is ahead where the old picture has it', () => {
    expect(boxAhead(whole, { ...whole.subject, path: keys('b') })).toBe(B);
    expect(boxAhead(whole, { ...whole.subject, path: keys('be') })).toBe(E);
    expect(boxAhead(atB, { ...whole.subject, path: keys('be') })).toBe(E);
    expect(boxAhead(whole, { ...whole.subject, path: keys('zz') })).toBeUndefined();
  });

  it('is behind where the new picture has the old one', () => {
    expect(boxBehind(atB, whole)).toBe(B);
    expect(boxBehind(whole, atB)).toBeUndefined();
  });

  it('is neither where the root stays, or the tree is another', () => {
    expect(boxAhead(whole, { ...whole.subject, search: 'x' })).toBeUndefined();
    expect(boxBehind(whole, whole)).toBeUndefined();
    const spec = { ...whole.subject.spec, metric: 1 };
    expect(boxAhead(whole, { ...whole.subject, spec, path: keys('b') })).toBeUndefined();
  });
});

describe('keys of a box', () => {
  it('lead from the program to it', () => {
    expect(boxes(SCENE).map((box) => keysOf(SCENE, box))).toEqual([
      [],
      keys('b'),
      keys('c'),
      keys('#'),
      keys('bd'),
      keys('be'),
    ]);
  });

  it('go on from the root of a zoom', () => {
    const below = zoomedTo(sceneOf('bbbb\nee..'), 'b', 0);
    expect(keysOf(below, 1)).toEqual(keys('be'));
  });

  it('are unknown where rows above are not in the scene', () => {
    const deep = sceneOf('aaaa\nbb..', 7);
    expect(keysOf(deep, 1)).toBeUndefined();
  });
});

describe('arrow keys', () => {
  it.each([
    [undefined, 'child', A],
    [A, 'parent', undefined],
    [A, 'child', B],
    [B, 'child', E],
    [B, 'right', C],
    [B, 'left', undefined],
    [C, 'left', B],
    [D, 'right', E],
    [E, 'parent', B],
    [C, 'child', undefined],
    [MERGED, 'child', undefined],
  ] as const)('go from %s to its %s', (from, way, to) => {
    expect(boxBeside(SCENE, from, way)).toBe(to);
  });

  it('go nowhere where nothing is drawn', () => {
    const { subject, window, result } = SCENE;
    const none = Object.fromEntries(
      Object.entries(SCENE.boxes).map(([name, column]) => [name, column.slice(0, 0)]),
    ) as unknown as Scene['boxes'];
    const empty = createScene(subject, window, 0, result, none);
    expect(boxBeside(empty, undefined, 'child')).toBeUndefined();
  });
});
