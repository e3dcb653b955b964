import type { MetricInfo } from '@hotframe/engine';
import { useRef } from 'preact/hooks';
import { shortenName, visible } from '../../text/names.ts';
import {
  formatExact,
  formatInteger,
  formatShare,
  formatShareChange,
  formatValue,
  shareOf,
} from '../../text/units.ts';
import { useColumns } from '../../widgets/columns.ts';

export interface SharedRow {
  readonly id: string;
  readonly name: string;
  readonly value: bigint;
  readonly title?: string;
  readonly current?: boolean;
  readonly run?: () => void;
}

/** Gap between name and value, in CSS pixels. */
const FURNITURE = 14;

/** The bar of a change: its colour tells the sign that the number tells, too. */
function changeFill(value: bigint): string {
  return value < 0n ? 'fill less' : 'fill more';
}

/** Names with a value and a bar that shows its share of a whole. */
export function ShareList(props: {
  readonly rows: readonly SharedRow[];
  readonly whole: bigint;
  readonly unit: MetricInfo;
  /** Rows that the engine left out. */
  readonly more?: number;
  /** Shows the value itself where the share says less. */
  readonly values?: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  const columns = useColumns(list, FURNITURE);
  return (
    <ul ref={list} class="share-list">
      {props.rows.map((row) => {
        const share = shareOf(row.value, props.whole);
        const width = Number.isFinite(share) ? Math.min(1, Math.abs(share)) * 100 : 0;
        const { signed } = props.unit;
        const shown = signed ? formatShareChange(share) : formatShare(share);
        const value = props.values === true ? formatValue(row.value, props.unit) : shown;
        const content = (
          <>
            <i class={signed ? changeFill(row.value) : 'fill'} style={{ width: `${width}%` }} />
            <code>{shortenName(row.name, columns - value.length)}</code>
            <span class="number">{value}</span>
          </>
        );
        const title = `${row.title ?? visible(row.name)}\n${formatExact(row.value, props.unit)}`;
        return (
          <li key={row.id}>
            {row.run === undefined ? (
              <div title={title}>{content}</div>
            ) : (
              <button type="button" title={title} aria-current={row.current} onClick={row.run}>
                {content}
              </button>
            )}
          </li>
        );
      })}
      {props.more !== undefined && props.more > 0 && (
        <li class="mute">and {formatInteger(props.more)} more</li>
      )}
    </ul>
  );
}
