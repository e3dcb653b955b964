import type { GraphKind } from '@hotframe/engine';
import { KIND_LABELS } from '../../state/graph-view.ts';
import { GLYPH_SIZE, GLYPHS } from './glyphs.ts';

/** The mark of a kind. */
export function KindGlyph(props: { readonly kind: GraphKind | null }) {
  const { kind } = props;
  return (
    <svg
      class="kind-glyph"
      viewBox={`0 0 ${GLYPH_SIZE} ${GLYPH_SIZE}`}
      width={GLYPH_SIZE}
      height={GLYPH_SIZE}
      role="img"
      aria-label={kind === null ? 'edge' : KIND_LABELS[kind]}
    >
      <path d={kind === null ? 'M3 2v8M1 8l2 2.2L5 8M8 2.5h2.5M8 5h2.5' : GLYPHS[kind]} />
    </svg>
  );
}
