import type { GraphKind } from '@hotframe/engine';

/** Glyphs are drawn as lines in a square of so many units. */
export const GLYPH_SIZE = 12;

/** What marks each kind, as an SVG path: shape tells kinds apart, colour never alone. */
export const GLYPHS: Readonly<Record<GraphKind, string>> = {
  graph: 'M2 2.5h8M2 6h8M2 9.5h8',
  state: 'M2.5 2h7v8h-7z',
  region: 'M2 2h8v8H2zM2 5h8',
  loop: 'M9.5 4A4 4 0 1 0 10 6.8M9.8 1.6V4.2H7.2',
  conditional: 'M6 1.5 10.5 6 6 10.5 1.5 6z',
  branch: 'M3.5 10.5V6.5L8.5 4M8.5 4V1.5M3.5 6.5V1.5',
  jump: 'M2 6h7M6.5 3 9.5 6l-3 3',
  access: 'M6 2a4 4 0 1 0 .01 0z',
  stream: 'M1.5 4q2.2-2.5 4.5 0t4.5 0M1.5 8.5q2.2-2.5 4.5 0t4.5 0',
  tasklet: 'M4 1.8h4L10.2 4v4L8 10.2H4L1.8 8V4z',
  map: 'M3.5 2.5h5L11 9.5H1z',
  map_exit: 'M1 2.5h10L8.5 9.5h-5z',
  consume: 'M3.5 2.5h5L11 9.5H1zM4.5 6h3',
  consume_exit: 'M1 2.5h10L8.5 9.5h-5zM4.5 6h3',
  nested: 'M1.5 1.5h9v9h-9zM4 4h4v4H4z',
  library: 'M2 1.5h5L10 4.5v6H2zM7 1.5v3h3',
  opaque: 'M4 4.2a2 2 0 1 1 2.6 2Q6 6.5 6 7.5M6 9.6v.4',
};
