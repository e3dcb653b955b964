import { isMerged, labelOf, type Scene } from '../../canvas/scene.ts';
import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { formatShare, formatThings, formatValue, shareOf } from '../../text/units.ts';
import { useEstimate } from '../estimates/Estimate.tsx';

/** A frame's figures, in one line that screen readers say. */
export function Told({ scene, box }: { readonly scene: Scene; readonly box: number | undefined }) {
  const app = useApp();
  const unit = app.profile.metricInfo.value;
  const { boxes } = scene;
  const isFrame = box !== undefined && !isMerged(scene, box);
  const estimate = useEstimate(isFrame ? scene.boxes.key[box] : undefined);
  const text = () => {
    if (box === undefined) return '';
    const ring = boxes.row[box]!;
    const total = boxes.total_value[box]!;
    const share = hasShares(app.profile.summary.value, scene.subject.spec.metric)
      ? ` (${formatShare(shareOf(total, boxes.scale[0]!))} of all)`
      : '';
    const where = ring === 0 ? 'in the middle' : `ring ${ring}`;
    const told = `total ${formatValue(total, unit)}${share}`;
    return isMerged(scene, box)
      ? `${told} · ${where}`
      : `self ${formatValue(boxes.self_value[box]!, unit)} · ${told} · ${where}`;
  };
  return (
    <div class="chart-at">
      <output aria-live="polite">
        {box === undefined ? (
          <span class="mute">Click an arc to make it the middle, the middle to go back</span>
        ) : (
          <b>
            {isMerged(scene, box)
              ? formatThings(boxes.merged[box]!, 'other frame')
              : labelOf(scene, box)}
          </b>
        )}{' '}
        {text()}
        {estimate !== undefined && ` · ${estimate}`}
      </output>
    </div>
  );
}
