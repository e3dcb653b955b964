import type { GraphKind } from '@hotframe/engine';
import type { Rect } from '../../canvas/rect.ts';

/** How the outline of a box goes. */
export type Shape = 'pill' | 'octagon' | 'hexagon' | 'folded' | 'bar' | 'round';

export function shapeOf(kind: GraphKind): Shape {
  switch (kind) {
    case 'access':
    case 'stream':
    case 'jump':
      return 'pill';
    case 'tasklet':
      return 'octagon';
    case 'map':
    case 'consume':
      return 'hexagon';
    case 'library':
      return 'folded';
    case 'map_exit':
    case 'consume_exit':
      return 'bar';
    case 'graph':
    case 'state':
    case 'region':
    case 'loop':
    case 'conditional':
    case 'branch':
    case 'nested':
    case 'opaque':
      return 'round';
  }
}

/** Adds the outline of a box to a path. */
export function traceShape(path: Path2D, shape: Shape, { x, y, width, height }: Rect): void {
  const right = x + width;
  const bottom = y + height;
  switch (shape) {
    case 'pill':
      path.roundRect(x, y, width, height, Math.min(height / 2, 14));
      return;
    case 'round':
      path.roundRect(x, y, width, height, Math.min(height / 2, 6));
      return;
    case 'octagon':
      polygon(path, cutCorners({ x, y, width, height }, Math.min(8, height / 3, width / 3)));
      return;
    case 'hexagon': {
      const end = Math.min(12, width / 4);
      const middle = y + height / 2;
      polygon(path, [
        [x + end, y],
        [right - end, y],
        [right, middle],
        [right - end, bottom],
        [x + end, bottom],
        [x, middle],
      ]);
      return;
    }
    case 'folded': {
      const fold = Math.min(11, height / 2, width / 2);
      polygon(path, [
        [x, y],
        [right - fold, y],
        [right, y + fold],
        [right, bottom],
        [x, bottom],
      ]);
      return;
    }
    case 'bar': {
      const end = Math.min(10, width / 4);
      polygon(path, [
        [x, y],
        [right, y],
        [right - end, bottom],
        [x + end, bottom],
      ]);
      return;
    }
  }
}

/** Lines within a box that belong to its shape. */
export function traceInner(path: Path2D, kind: GraphKind, rect: Rect): void {
  const { x, y, width, height } = rect;
  if (kind === 'library') {
    const fold = Math.min(11, height / 2, width / 2);
    path.moveTo(x + width - fold, y);
    path.lineTo(x + width - fold, y + fold);
    path.lineTo(x + width, y + fold);
  } else if (kind === 'nested') {
    path.roundRect(x + 3, y + 3, Math.max(0, width - 6), Math.max(0, height - 6), 4);
  }
}

function cutCorners({ x, y, width, height }: Rect, cut: number): [number, number][] {
  const right = x + width;
  const bottom = y + height;
  return [
    [x + cut, y],
    [right - cut, y],
    [right, y + cut],
    [right, bottom - cut],
    [right - cut, bottom],
    [x + cut, bottom],
    [x, bottom - cut],
    [x, y + cut],
  ];
}

function polygon(path: Path2D, corners: readonly (readonly [number, number])[]): void {
  for (const [index, [x, y]] of corners.entries()) {
    if (index === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
}
