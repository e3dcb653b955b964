import { stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { MOST_PRUNED } from './pages.ts';
import type { RowsPart } from './rows.ts';
import { TABLE_PART } from './state.ts';

/** How many rows a table has, and how many are left out. */
export function RowCount(props: {
  readonly part: RowsPart | undefined;
  readonly tooMany: boolean;
}) {
  const app = useApp();
  const { part } = props;
  if (part === undefined) return <span class="number" />;
  const { left } = part;
  if (left !== undefined) {
    return (
      <span class="number" title="Left out by ‘Hide below’ and ‘Levels’, each with all below it">
        {formatThings(part.totalRows - left.rests, 'row')}, {formatInteger(left.hidden)} hidden
      </span>
    );
  }
  const isAsked = app.profile.pruned.value !== undefined;
  const why = props.tooMany
    ? `nothing hidden: more than ${formatInteger(MOST_PRUNED)} rows`
    : 'nothing hidden while rows are filtered';
  const isTold = isAsked && (props.tooMany || stateOf(app.view.value, TABLE_PART).filter !== '');
  return (
    <span class="number">
      {formatThings(part.totalRows, 'row')}
      {isTold && `, ${why}`}
    </span>
  );
}
