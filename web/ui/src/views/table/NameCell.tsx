import type { RowInfo } from '@hotframe/engine';
import { shortenLabel, shortenPath, textColumns, visible } from '../../text/names.ts';
import { CHANGE_WORDS } from '../comparison/ChangeValues.tsx';

/** Width of a character of the names' font. */
const CHAR_WIDTH = 7.25;
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
  const place =
    info.file === '' ? info.module : `${info.file}${info.line > 0 ? `:${info.line}` : ''}`;
  const deeper = Math.max(0, info.depth - FULL_LEVELS);
  const indent = Math.min(info.depth, FULL_LEVELS) * 14 + Math.min(deeper * 2, 60);
  const columns = Math.floor((props.width - indent - NAME_FURNITURE) / CHAR_WIDTH);
  const shown = info.label ?? info.name;
  const name = shortenLabel(info.name, shown, columns);
  const left = columns - textColumns(name) - 1;
  const twist = !info.has_children ? 'twist none' : info.expanded ? 'twist open' : 'twist';
  return (
    <div
      class="name"
      role="gridcell"
      title={[visible(shown), place, info.module].filter((text) => text !== '').join('\n')}
      style={{ paddingLeft: `${10 + indent}px` }}
    >
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
      <i class="swatch" style={{ background: props.colour }} />
      {info.tag !== null && (
        <span class={`tag ${info.tag}`} title={CHANGE_WORDS[info.tag]}>
          {CHANGE_WORDS[info.tag].slice(0, 3)}
        </span>
      )}
      <b>{name}</b>
      <small>{left >= 8 && info.label === null ? shortenPath(place, left) : ''}</small>
    </div>
  );
}
