import type { FunctionInfo, MetricInfo } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { formatFigureChange, formatP } from '../../text/units.ts';
import { useMenuGesture } from '../../widgets/hold.ts';
import { useEstimate } from '../estimates/Estimate.tsx';
import type { Column, Columns } from '../table/columns.ts';
import { NameText, useNameTitle } from '../table/NameText.tsx';
import { ValueCell } from '../table/ValueCell.tsx';
import type { FunctionsPart } from './controller.ts';

/** Swatch and the gaps around it. */
const NAME_FURNITURE = 44;

/** A function with its values. */
export function FunctionRow(props: {
  readonly part: FunctionsPart;
  readonly index: number;
  readonly info: FunctionInfo;
  readonly columns: Columns;
  /** Where it lies in the list, in CSS pixels. */
  readonly top: number;
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
  const cell = ({ metric, kind }: Column) => {
    if (kind === 'interval') {
      return <IntervalCell key={kind} info={info} unit={summary.metrics[metric]} />;
    }
    if (kind === 'verdict') return <VerdictCell key={kind} info={info} />;
    return (
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
  };
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
        <NameText info={info} width={columns.namesWidth - NAME_FURNITURE} colour={props.colour} />
      </div>
      {columns.shown.map(cell)}
    </div>
  );
}

/** By how much a run differs. */
function IntervalCell(props: {
  readonly info: FunctionInfo;
  readonly unit: MetricInfo | undefined;
}) {
  const { unit } = props;
  const { interval } = props.info;
  return (
    <div class="cell interval" role="gridcell">
      {interval !== null &&
        unit !== undefined &&
        `${formatFigureChange(interval.low, unit)} to ${formatFigureChange(interval.high, unit)}`}
    </div>
  );
}

/** What the runs show of it. */
function VerdictCell({ info: { adjusted, verdict } }: { readonly info: FunctionInfo }) {
  return (
    <div class="cell verdict" role="gridcell">
      <span title={verdict?.reason}>{verdict?.verdict}</span>
      <small>{adjusted === null ? '' : formatP(adjusted)}</small>
    </div>
  );
}
