import { FlameFlag } from '@hotframe/engine';
import { expect, it } from 'vitest';
import { type Labels, paintFlame, type Picture } from './paint.ts';
import { sceneOf } from './scene.fixture.ts';

/** What is filled and outlined, as `what style x width`. */
function drawnOf(width: number, border: string | undefined, byChange?: boolean): readonly string[] {
  const drawn: string[] = [];
  let path = '';
  const context = {
    fillStyle: '',
    strokeStyle: '',
    roundRect: (x: number, _: number, wide: number) => (path = `${x} ${wide}`),
    stroke: () => drawn.push(`stroke ${context.strokeStyle} ${path}`),
    fill: () => drawn.push(`fill ${context.fillStyle} ${path}`),
    fillRect: (x: number, _: number, wide: number, high: number) =>
      drawn.push(`${high === 1 ? 'line' : 'fill'} ${context.fillStyle} ${x} ${wide}`),
  };
  const silent = new Proxy(context, {
    get: (target, name) => Reflect.get(target, name) ?? (() => undefined),
  });
  const scene = sceneOf(`
    aaaaaaaaaa
    b.........
  `);
  if (byChange !== undefined) scene.boxes.flags[1] = FlameFlag.UNSURE;
  const palette = { fills: ['', 'grey', 'blue'], inks: ['', '', ''], background: 'paper', border };
  paintFlame(silent as unknown as CanvasRenderingContext2D, {
    scene,
    plan: {
      classes: Uint16Array.from([1, 2]),
      order: Uint32Array.from([0, 1]),
      byChange: byChange ?? false,
    },
    palette: palette as unknown as Picture['palette'],
    viewport: { from: 0, to: 1, top: 0 },
    size: { width: width * 10 + 20, height: 100 },
    scale: 1,
    inverted: false,
    moving: false,
    selected: undefined,
    hovered: undefined,
    lit: new Set(),
    labels: { font: '', textFor: () => '' } as unknown as Labels,
    hatch: 'hatch',
    strokes: 'strokes',
  });
  return drawn.filter((what) => / 10\.5 /.test(what) && / (blue|black|strokes) /.test(what));
}

it('has lines around boxes in high contrast, which leave the colour in sight', () => {
  expect(drawnOf(40, 'black')).toEqual([
    'fill blue 10.5 39',
    'stroke black 10.5 399',
    'stroke black 10.5 39',
  ]);
  expect(drawnOf(8, 'black').at(-1)).toBe('stroke black 10.5 7');
  expect(drawnOf(2, 'black').slice(-2)).toEqual(['line black 10.5 1', 'line black 10.5 1']);
});

it('has none elsewhere', () => {
  expect(drawnOf(2, undefined)).toEqual(['fill blue 10.5 1']);
});

it('has strokes over what runs do not show, where colours tell changes', () => {
  expect(drawnOf(40, undefined, true)).toEqual(['fill blue 10.5 39', 'fill strokes 10.5 39']);
  expect(drawnOf(40, undefined, false)).toEqual(['fill blue 10.5 39']);
});
