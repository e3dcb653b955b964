import { isMerged, labelOf, type Scene } from '../../canvas/scene.ts';
import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { formatThings, formatValue } from '../../text/units.ts';
import { useEstimate } from '../estimates/Estimate.tsx';
import { figureOf } from './picture.ts';

/** A box's figures, in one line that screen readers say. */
export function Told({ scene, box }: { readonly scene: Scene; readonly box: number | undefined }) {
  const app = useApp();
  const unit = app.profile.metricInfo.value;
  const summary = app.profile.summary.value;
  const shares = hasShares(summary, scene.subject.spec.metric);
  const isFlat = scene.subject.spec.shape.kind === 'flat';
  const estimated = summary?.estimated_paths === true ? ', estimated' : '';
  const isFrame = box !== undefined && !isMerged(scene, box);
  const estimate = useEstimate(isFrame ? scene.boxes.key[box] : undefined);
  const text = () => {
    if (box === undefined) return '';
    const figure = figureOf(scene, box, { unit, shares });
    const level = `level ${scene.boxes.row[box]!}`;
    if (isFlat) return `self ${figure} · ${level}`;
    const total = `total${estimated} ${figure}`;
    return isMerged(scene, box)
      ? `${total} · ${level}`
      : `${total} · self ${formatValue(scene.boxes.self_value[box]!, unit)} · ${level}`;
  };
  return (
    <div class="chart-at">
      <output aria-live="polite">
        {box === undefined ? (
          <span class="mute">
            Click a box to select it; double click or Enter zooms in, Escape out
          </span>
        ) : (
          <b>
            {isMerged(scene, box)
              ? formatThings(scene.boxes.merged[box]!, 'smaller frame')
              : labelOf(scene, box)}
          </b>
        )}{' '}
        {text()}
        {estimate !== undefined && ` · ${estimate}`}
      </output>
    </div>
  );
}
