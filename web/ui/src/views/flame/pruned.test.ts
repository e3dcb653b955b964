import type { MetricInfo } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import { sceneOf } from '../../canvas/scene.fixture.ts';
import { nameOf, type Scene } from '../../canvas/scene.ts';
import type { Pruned } from '../../state/pruning.ts';
import { NO_VALUE } from '../../text/units.ts';
import { pruneScene } from './pruned.ts';
import type { PrunedScene } from './rest-boxes.ts';

/** Values are widths, of ten in all. */
const SCENE = sceneOf(`
  pppppppppp
  aaaaabbbcd
  efffgbhh..
  e.iij.....
`);

const SUMS = [{ adds_up: true, signed: false }] as MetricInfo[];

const asked = (hideBelow: number, levels?: number, revealed: readonly string[] = []): Pruned => ({
  hideBelow,
  levels,
  metrics: SUMS,
  isComparison: false,
  revealed: new Set(revealed),
});

/** Boxes by row: names, and for a rest what is said of it with its total. */
function drawn(scene: Scene | undefined): readonly string[] {
  if (scene === undefined) return [];
  const rows: string[] = [];
  for (let box = 0; box < scene.count; box++) {
    const rest = scene.rests?.get(box);
    const text =
      rest === undefined ? nameOf(scene, box) : `(${rest}: ${scene.boxes.total_value[box]})`;
    const row = scene.boxes.row[box]!;
    rows[row] = (rows[row] ?? '') + text;
  }
  return rows;
}

const prune = (pruned: Pruned, shown?: number, scene = SCENE): PrunedScene | undefined =>
  pruneScene(scene, pruned, shown);

describe('a pruned flame graph', () => {
  it('has one box in place of neighbours that are small', () => {
    const scene = prune(asked(20))!;
    expect(drawn(scene)).toEqual([
      'p',
      'ab(2 more below 20 %: 2)',
      '(1 more below 20 %: 1)f(1 more below 20 %: 1)(1 more below 20 %: 1)h',
      'i',
    ]);
    expect(scene.hidden).toEqual({ count: 5, total: 5n, isAll: true, isLeast: false });
    const rest = scene.rests!.keys().next().value!;
    expect(scene.boxes.x[rest]).toBe(0.8);
    expect(scene.boxes.width[rest]).toBeCloseTo(0.2);
    expect(scene.boxes.merged[rest]).toBe(2);
  });

  it('keeps what has exactly the share', () => {
    expect(drawn(prune(asked(10)))).toEqual(drawn(SCENE));
    expect(prune(asked(10))?.hidden.count).toBe(0);
  });

  it('ends below a level, and is as tall as what is left', () => {
    const scene = prune(asked(0, 1))!;
    expect(drawn(scene)).toEqual(['p', 'abcd', '(3 below level 1: 5)(2 below level 1: 3)']);
    expect(scene.result.total_rows).toBe(3);
  });

  it('shows what the search finds and what is selected, with the way there', () => {
    const found = sceneOf('pppppppppp\naaaaaaaabc\n..D.......');
    expect(drawn(prune(asked(20), undefined, found))).toEqual([
      'p',
      'a(2 more below 20 %: 2)',
      'D',
    ]);
    const j = [...SCENE.boxes.node].findIndex((_, box) => nameOf(SCENE, box) === 'j');
    expect(drawn(prune(asked(20), j))).toEqual([
      'p',
      'ab(2 more below 20 %: 2)',
      '(1 more below 20 %: 1)fg(1 more below 20 %: 1)h',
      'ij',
    ]);
  });

  it('shows all below a node where somebody wants to see it', () => {
    const a = 'a'.charCodeAt(0);
    const scene = prune(asked(20, undefined, [String(a)]))!;
    expect(drawn(scene)[2]).toBe('efg(1 more below 20 %: 1)h');
    expect(drawn(scene)[3]).toBe('eij');
    // What is not small itself is as before.
    expect(drawn(prune(asked(20, undefined, ['']))).slice(0, 3)).toEqual([
      'p',
      'abcd',
      drawn(prune(asked(20)))[2],
    ]);
  });

  it('only counts where totals do not add up', () => {
    const flat = structuredClone(SCENE.subject.spec);
    const scene = {
      ...SCENE,
      subject: { ...SCENE.subject, spec: { ...flat, shape: { kind: 'flat' as const } } },
    };
    const pruned = prune(asked(20), undefined, scene)!;
    expect(pruned.hidden).toEqual({ count: 5, total: undefined, isAll: true, isLeast: false });
    expect(pruned.boxes.total_value[pruned.rests!.keys().next().value!]).toBe(NO_VALUE);
    // Values that are not shares are not compared with one.
    const metrics = [{ adds_up: false, signed: false }] as MetricInfo[];
    expect(prune({ ...asked(20), metrics })).toBeUndefined();
    expect(prune({ ...asked(20, 1), metrics })?.hidden).toMatchObject({
      count: 5,
      total: undefined,
    });
  });

  it('leaves narrow frames that are drawn as one unless each of them is small', () => {
    const narrow = sceneOf('pppppppppp\naaaaaaa###');
    // Three frames with 30 % together, none wider than 1 of 100 pixels.
    expect(prune(asked(20), undefined, narrow)?.hidden).toMatchObject({ count: 3, total: 3n });
    const coarse = { ...narrow, result: { ...narrow.result, narrowest: 25 } };
    const kept = prune(asked(20), undefined, coarse)!;
    expect(kept.hidden.count).toBe(0);
    expect(kept.result.merged_frames).toBe(3);
    expect(prune(asked(40), undefined, coarse)?.hidden.count).toBe(3);
  });

  it('says where it does not know all', () => {
    const part = { ...SCENE, window: { ...SCENE.window, to: 0.5 } };
    expect(prune(asked(20), undefined, part)?.hidden.isAll).toBe(false);
  });
});
