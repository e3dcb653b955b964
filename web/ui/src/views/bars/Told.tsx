import { useApp } from '../../state/services.ts';
import {
  formatFigure,
  formatFigureChange,
  formatShare,
  formatThings,
  formatValue,
  shareOf,
  type Unit,
} from '../../text/units.ts';
import { changeWord } from '../comparison/ChangeValues.tsx';
import { useEstimate } from '../estimates/Estimate.tsx';
import type { Bar, BarRow, BarsScene } from './rows.ts';

/** A function's figures, and what is chosen together, in one line that screen readers say. */
export function Told(props: {
  readonly scene: BarsScene;
  readonly row: BarRow | undefined;
  readonly chosen: ReadonlySet<number>;
  onLetGo(): void;
}) {
  const { scene, row, chosen } = props;
  const app = useApp();
  const unit = app.profile.metricInfo.value;
  const self = scene.rows
    .filter(({ info }) => chosen.has(info.key))
    .reduce((sum, one) => sum + one.self.value, 0n);
  const interval = row?.info.interval;
  const estimate = useEstimate(row?.info.key);
  return (
    <div class="chart-at">
      <output aria-live="polite">
        {row === undefined && chosen.size === 0 && (
          <span class="mute">Click a function to choose it, Shift + click several</span>
        )}
        {row !== undefined && (
          <>
            <b>{row.info.label ?? row.info.name}</b> self {told(row.self, scene, unit)} · total{' '}
            {told(row.total, scene, unit)}
            {estimate !== undefined && ` · ${estimate}`}
            {row.info.tag !== null && ` · ${changeWord(row.info.tag)}`}
            {interval != null &&
              `, by ${formatFigureChange(interval.low, unit)} to ${formatFigureChange(interval.high, unit)} (95 %)`}
          </>
        )}
        {chosen.size > 0 && (
          <span>
            {row !== undefined && ' · '}
            {formatThings(chosen.size, 'function')} chosen: self {formatValue(self, unit)},{' '}
            {formatShare(shareOf(self, scene.whole))}
          </span>
        )}
      </output>
      {chosen.size > 0 && (
        <button type="button" class="plain" title="Nothing chosen (Escape)" onClick={props.onLetGo}>
          Clear
        </button>
      )}
    </div>
  );
}

function told({ value, length, spread }: Bar, { whole }: BarsScene, unit: Unit): string {
  if (!Number.isFinite(length)) return 'no value';
  const share = formatShare(shareOf(value, whole));
  if (spread === undefined) return `${formatFigure(length, unit)} (${share})`;
  const [least, most] = spread.map((one) => formatFigure(one, unit));
  return `${formatFigure(length, unit)} (${share}), ${least} to ${most}`;
}
