import type { ScatterScene } from '../scatter/marks.ts';

type Range = readonly [number, number];

/** Scatters on the axes that hold all of them, with marks of one scale; without lines of equal sums. */
export function onSharedAxes(scenes: readonly ScatterScene[]): readonly ScatterScene[] {
  const all = (of: (scene: ScatterScene) => Range): Range => [
    Math.min(...scenes.map((scene) => of(scene)[0])),
    Math.max(...scenes.map((scene) => of(scene)[1])),
  ];
  const across = all((scene) => scene.across);
  const up = all((scene) => scene.up);
  const largest = scenes.reduce((most, one) => (one.largest > most ? one.largest : most), 0n);
  return scenes.map((scene) => {
    const scale = Math.sqrt(Number(scene.largest) / Math.max(1, Number(largest)));
    const marks = scene.marks.map((mark) => ({
      ...mark,
      // What has no place on an axis has one in a strip, which goes along the other.
      x: mark.zone === 'no_calls' ? mark.x : moved(mark.x, scene.across, across),
      y: mark.zone === 'plot' ? moved(mark.y, scene.up, up) : mark.y,
      radius: mark.radius * scale,
    }));
    return { ...scene, marks, across, up, diagonals: [], largest };
  });
}

/** A scatter of several runs with calls and areas as one of them has them, on average. */
export function perRun(scene: ScatterScene, runs: number): ScatterScene {
  const [low, high] = scene.across;
  // Axes end at whole powers of ten.
  const across: Range = [10 ** Math.floor(Math.log10(low / runs)), high];
  const marks = scene.marks.map((mark) => ({
    ...mark,
    x: mark.zone === 'no_calls' ? mark.x : moved(mark.x, [low / runs, high / runs], across),
  }));
  return { ...scene, marks, across, largest: scene.largest / BigInt(runs) };
}

/** A share of a logarithmic axis as one of another. */
function moved(share: number, [low, high]: Range, [from, to]: Range): number {
  const log = Math.log(low) + share * Math.log(high / low);
  return (log - Math.log(from)) / Math.log(to / from);
}
