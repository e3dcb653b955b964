import type { GraphKind } from '@hotframe/engine';

/** The colours of a drawing under one theme, read from the style sheet's tokens. */
export interface GraphPalette {
  readonly background: string;
  readonly panel: string;
  readonly ink: string;
  readonly mute: string;
  readonly accent: string;
  /** Laid over what is below, so that what is deeper is a little darker. */
  readonly frame: string;
  readonly frameLine: string;
  readonly boxLine: string;
  readonly edge: string;
  readonly interstate: string;
  /** Fills by what a box is. */
  readonly data: string;
  readonly code: string;
  readonly scope: string;
  readonly nested: string;
  readonly library: string;
  readonly block: string;
  /** Of boxes that have no value while others have. */
  readonly plain: string;
  /** Of boxes that are too far away to be told apart. */
  readonly far: string;
  /** The rim of coloured edges. */
  readonly casing: string;
}

export function readGraphPalette(element: Element): GraphPalette {
  const style = getComputedStyle(element);
  const text = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: text('--bg'),
    panel: text('--panel'),
    ink: text('--ink'),
    mute: text('--mute'),
    accent: text('--accent'),
    frame: text('--graph-frame'),
    frameLine: text('--graph-frame-line'),
    boxLine: text('--graph-box-line'),
    edge: text('--graph-edge'),
    interstate: text('--graph-interstate'),
    data: text('--graph-data'),
    code: text('--graph-code'),
    scope: text('--graph-scope'),
    nested: text('--graph-nested'),
    library: text('--graph-library'),
    block: text('--graph-block'),
    plain: text('--graph-plain'),
    far: text('--graph-far'),
    casing: text('--graph-casing'),
  };
}

/** The fill of a box that tells nothing but its kind. */
export function fillOf(palette: GraphPalette, kind: GraphKind): string {
  switch (kind) {
    case 'access':
    case 'stream':
      return palette.data;
    case 'tasklet':
      return palette.code;
    case 'map':
    case 'map_exit':
    case 'consume':
    case 'consume_exit':
      return palette.scope;
    case 'nested':
      return palette.nested;
    case 'library':
      return palette.library;
    case 'graph':
    case 'state':
    case 'region':
    case 'loop':
    case 'conditional':
    case 'branch':
    case 'jump':
    case 'opaque':
      return palette.block;
  }
}
