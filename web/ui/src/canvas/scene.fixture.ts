import { createScene, type Scene } from './scene.ts';

/**
 * A scene drawn as text: a row a line, a letter a box as wide as it is long, `.` for nothing;
 * capitals match the search, `#` is a merged box. A box's parent is what lies above it.
 */
export function sceneOf(drawing: string, firstRow = 0): Scene {
  const lines = drawing.trim().split(/\s*\n\s*/);
  const whole = lines[0]!.length;
  const boxes: { row: number; x: number; width: number; letter: string; parent: number }[] = [];
  for (const [row, line] of lines.entries()) {
    for (const match of line.matchAll(/([a-zA-Z#])\1*/g)) {
      const above = boxes.findIndex(
        (box) => box.row === row - 1 && box.x <= match.index && match.index < box.x + box.width,
      );
      const width = match[0].length;
      boxes.push({ row, x: match.index, width, letter: match[1]!, parent: Math.max(0, above) });
    }
  }
  const u32 = (value: (box: (typeof boxes)[number], index: number) => number) =>
    Uint32Array.from(boxes, value);
  const values = BigInt64Array.from(boxes, (box) => BigInt(box.width));
  const spec = {
    document: 0,
    metric: 0,
    shape: { kind: 'top_down' as const },
    granularity: 'function' as const,
    filters: [],
    order: 'value' as const,
    collapse_recursion: 'none' as const,
    role: null,
  };
  const names = [...new Set(boxes.map((box) => box.letter))];
  return createScene(
    { spec, path: [], search: '', labels: 'function' },
    { from: 0, to: 1, width: 100, firstRow, rows: lines.length },
    0,
    {
      instance: 1,
      merged_frames: 0,
      total_rows: lines.length,
      narrowest: 1,
      names,
      labels: [],
      modules: [''],
      files: [''],
      breadcrumb: [],
    },
    {
      node: u32((_, index) => index),
      parent: u32((box) => box.parent),
      row: u32((box) => box.row + firstRow),
      x: Float64Array.from(boxes, (box) => box.x / whole),
      width: Float64Array.from(boxes, (box) => box.width / whole),
      y: new Float64Array(),
      height: new Float64Array(),
      name: u32((box) => names.indexOf(box.letter)),
      module: u32(() => 0),
      file: u32(() => 0),
      merged: u32((box) => (box.letter === '#' ? 3 : 0)),
      flags: u32((box) => (/[A-Z]/.test(box.letter) ? 1 : 0)),
      key: u32((box) => box.letter.toLowerCase().charCodeAt(0)),
      colours: u32((box) => (box.letter === '#' ? 0 : box.letter.toLowerCase().charCodeAt(0) - 97)),
      self_value: values,
      total_value: values,
      scale: BigInt64Array.from([10n, 10n, 10n]),
      tag: new Uint32Array(),
      base_value: new BigInt64Array(),
      new_value: new BigInt64Array(),
    },
  );
}
