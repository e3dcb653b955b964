import type { RowInfo } from '@hotframe/engine';
import { NameText, useNameTitle } from './NameText.tsx';

/** Twist, swatch and the gaps around them. */
const NAME_FURNITURE = 62;
/** Levels that are indented in full; deep stacks go on in small steps, so that names keep room. */
const FULL_LEVELS = 10;

/** What a row is of, indented by its depth, with the twist that unfolds it. */
export function NameCell(props: {
  readonly info: RowInfo;
  /** Of the column, in CSS pixels. */
  readonly width: number;
  readonly colour: string;
  onToggle(): void;
}) {
  const { info } = props;
  const title = useNameTitle(info);
  const indent = indentOf(info.depth);
  const twist = !info.has_children ? 'twist none' : info.expanded ? 'twist open' : 'twist';
  return (
    <div class="name" role="gridcell" title={title} style={{ paddingLeft: `${10 + indent}px` }}>
      <button
        type="button"
        class={twist}
        tabIndex={-1}
        aria-label={info.expanded ? 'Fold' : 'Unfold'}
        onMouseDown={(event) => event.stopPropagation()}
        onClick={props.onToggle}
      >
        ▶
      </button>
      <NameText info={info} width={props.width - indent - NAME_FURNITURE} colour={props.colour} />
    </div>
  );
}

/** How far a row is indented, in CSS pixels. */
export function indentOf(depth: number): number {
  const deeper = Math.max(0, depth - FULL_LEVELS);
  return Math.min(depth, FULL_LEVELS) * 14 + Math.min(deeper * 2, 60);
}
