import { useApp } from '../../state/services.ts';
import {
  formatInteger,
  formatShare,
  formatThings,
  formatValue,
  shareOf,
} from '../../text/units.ts';
import { useEstimate } from '../estimates/Estimate.tsx';
import { type Mark, recursionOf, type ScatterScene, unitOf } from './marks.ts';
import { formatMean } from './picture.ts';
import { meanLabel } from './Popover.tsx';

/** What is chosen, in one line that screen readers say. */
export function Told(props: {
  readonly scene: ScatterScene;
  readonly cursor: Mark | undefined;
  readonly chosen: ReadonlySet<number>;
  onLetGo(): void;
}) {
  const { scene, cursor, chosen } = props;
  const unit = unitOf(useApp(), scene);
  const estimate = useEstimate(cursor?.info.key);
  const together = scene.marks.filter(({ info }) => chosen.has(info.key));
  const self = together.reduce((sum, mark) => sum + mark.self, 0n);
  return (
    <div class="chart-at">
      <output aria-live="polite">
        {cursor !== undefined && <b>{cursor.info.label ?? cursor.info.name}</b>}
        {cursor !== undefined && ` ${figures(scene, cursor, unit)}`}
        {estimate !== undefined && ` · ${estimate}`}
        {chosen.size > 0 && (
          <span>
            {cursor !== undefined && ' · '}
            {formatThings(chosen.size, 'function')} chosen: self {formatValue(self, unit)},{' '}
            {formatShare(shareOf(self, scene.whole))}
          </span>
        )}
        {cursor === undefined && chosen.size === 0 && (
          <span class="mute">Drag over marks: flame graph and table highlight these functions</span>
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

function figures(
  scene: ScatterScene,
  mark: Mark,
  unit: { readonly unit: string; readonly decimals: number },
): string {
  const calls = formatThings(Number(mark.calls), 'call');
  const recursion = recursionOf(mark);
  const primitive =
    mark.primitive === undefined
      ? 'how many primitive is not known'
      : `${formatInteger(Number(mark.primitive))} primitive`;
  const parts = [
    `${calls}, ${primitive}`,
    ...(recursion === undefined || recursion === 0 ? [] : [`${formatShare(recursion)} recursive`]),
    mark.zone === 'no_calls' ? '' : `${meanLabel(scene.of)} ${formatMean(mark.mean, unit)}`,
    `self ${formatValue(mark.self, unit)}`,
    `total ${formatValue(mark.total, unit)}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
