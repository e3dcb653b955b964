import { describe, expect, it } from 'vitest';
import { MERGED_CLASS, PROGRAM_CLASS } from './colour.ts';
import { CLASSES } from './generated/colours.ts';
import { planPaint } from './paint-plan.ts';
import { FADED, PALE } from './palette.ts';
import { sceneOf } from './scene.fixture.ts';

const SCENE = sceneOf(`
  aaaaaaaaaa
  bbbbbbCC#.
  cc.bbb....
`);

const plan = (scene = SCENE) => planPaint(scene, 'module');

describe('the paint plan', () => {
  it('gives the program and merged frames their own colours', () => {
    const { classes } = plan();
    expect(classes[0]).toBe(PROGRAM_CLASS);
    expect(classes[3]).toBe(MERGED_CLASS);
  });

  it('gives one frame one colour wherever it is, whatever its key', () => {
    const keys = new Uint32Array(SCENE.count);
    const { classes } = plan({ ...SCENE, boxes: { ...SCENE.boxes, key: keys } });
    expect(classes[5]).toBe(classes[1]);
    expect(classes[4]).not.toBe(classes[1]);
    expect(classes[1]).not.toBe(PROGRAM_CLASS);
  });

  it('fades what does not match a search', () => {
    const searched = { ...SCENE, subject: { ...SCENE.subject, search: 'c' } };
    const { classes } = plan(searched);
    expect(classes[2]).toBeLessThan(CLASSES);
    expect(classes[1]).toBeGreaterThanOrEqual(FADED);
  });

  it('draws equal colours one after the other, and every box once', () => {
    const { classes, order } = plan();
    const inOrder = [...order].map((box) => classes[box]!);
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
    expect([...order].sort((a, b) => a - b)).toEqual([...SCENE.boxes.node]);
  });

  it('draws what the engine says has no source pale', () => {
    const flags = new Uint32Array(SCENE.count);
    flags[1] = 16;
    const { classes } = plan({ ...SCENE, boxes: { ...SCENE.boxes, flags } });
    expect(classes[1]).toBe(classes[5]! + PALE);
  });
});
