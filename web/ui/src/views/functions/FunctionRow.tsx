import type { FunctionInfo, MetricInfo } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { formatFigureChange } from '../../text/units.ts';
import { useMenuGesture } from '../../widgets/hold.ts';
import { useEstimate } from '../estimates/Estimate.tsx';
import { NameText, useNameTitle } from '../table/NameText.tsx';
import { ValueCell } from '../table/ValueCell.tsx';
import { type FunctionColumns, nameWidth, type ValueColumn } from './columns.ts';
import type { FunctionsPart } from './controller.ts';

/** Swatch and the gaps around it. */
const NAME_FURNITURE = 44;

/** A function with its values. */
export function FunctionRow(props: {
  readonly part: FunctionsPart;
  readonly index: number;
  readonly info: FunctionInfo;
  readonly columns: FunctionColumns;
  /** Where it lies in the list, and how wide that is, in CSS pixels. */
  readonly top: number;
  readonly width: number;
  readonly colour: string;
  readonly isChosen: boolean;
  /** Whether it is one of those that were chosen together. */
  readonly isLit: boolean;
  onPick(): void;
  onOpen(): void;
  onMenu(x: number, y: number): void;
}) {
  const summary = useApp().profile.summary.value;
  const { part, index, info, columns } = props;
  const title = useNameTitle(info);
  const isAbout = useEstimate(info.key) !== undefined;
  const gesture = useMenuGesture((x, y) => {
    props.onPick();
    props.onMenu(x, y);
  });
  if (summary === undefined) return null;
  const cell = ({ metric, kind }: ValueColumn) => (
    <ValueCell
      key={`${kind}${metric}`}
      summary={summary}
      kind={kind}
      metric={metric}
      isAbout={isAbout}
      value={part.value(index - part.first, kind, metric)}
      whole={part.whole}
    />
  );
  return (
    <div
      id={`function-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isChosen || props.isLit}
      class={props.isChosen ? 'row cursor' : 'row'}
      style={{ ...columns.style, top: `${props.top}px` }}
      onMouseDown={(event) => {
        if (event.button === 0) props.onPick();
      }}
      onDblClick={props.onOpen}
      {...gesture}
    >
      <div class="name" role="gridcell" title={title}>
        <NameText
          info={info}
          width={nameWidth(columns, props.width) - NAME_FURNITURE}
          colour={props.colour}
        />
      </div>
      {columns.values.map(cell)}
      {columns.verdict !== undefined && (
        <VerdictCells info={info} unit={summary.metrics[columns.verdict.metric]} />
      )}
      {columns.more.map(cell)}
    </div>
  );
}

/** By how much a run differs, and what the runs show of it. */
function VerdictCells(props: {
  readonly info: FunctionInfo;
  readonly unit: MetricInfo | undefined;
}) {
  const { interval, adjusted, verdict } = props.info;
  const { unit } = props;
  return (
    <>
      <div class="cell interval" role="gridcell">
        {interval !== null &&
          unit !== undefined &&
          `${formatFigureChange(interval.low, unit)} to ${formatFigureChange(interval.high, unit)}`}
      </div>
      <div class="cell verdict" role="gridcell">
        <span title={verdict?.reason}>{verdict?.verdict}</span>
        <small>{adjusted === null ? '' : `p ${shownP(adjusted)}`}</small>
      </div>
    </>
  );
}

function shownP(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
