import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { formatShare, formatThings, formatValue, shareOf } from '../../text/units.ts';
import { calleesOf, callersOf, type CallNode, type CallScene, itselfOf } from './scene.ts';

/** A function's figures, in one line that screen readers say. */
export function Told(props: { readonly scene: CallScene; readonly node: CallNode | undefined }) {
  const { scene, node } = props;
  const app = useApp();
  const unit = app.profile.metricInfo.value;
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  const told = (word: string, value: bigint) =>
    `${word} ${formatValue(value, unit)}${shares ? ` (${formatShare(shareOf(value, scene.whole))})` : ''}`;
  const itself = node && itselfOf(scene, node);
  return (
    <div class="chart-at">
      <output aria-live="polite">
        {node === undefined ? (
          <span class="mute">
            Click a function to choose it; arrow keys go to callers, callees and neighbours
          </span>
        ) : (
          <>
            <b>{node.info.label ?? node.info.name}</b> {told('self', node.self)} ·{' '}
            {told('total', node.total)} · {formatThings(callersOf(scene, node).length, 'caller')},{' '}
            {formatThings(calleesOf(scene, node).length, 'callee')}
            {itself !== undefined && ` · ${told('calls of itself', itself)}`}
          </>
        )}
      </output>
    </div>
  );
}
