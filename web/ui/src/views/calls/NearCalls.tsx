import { useApp } from '../../state/services.ts';
import { formatShare, formatValue, shareOf } from '../../text/units.ts';
import { calleesOf, callersOf, type CallNode, type CallScene } from './scene.ts';

/** So many callers and callees are enough to know where one is. */
const NEAR = 16;

/** The element of the chosen function. */
export const CHOSEN_ID = 'call-graph-selected';

/** The call graph for screen readers: a function below its callers and above what it calls. */
export function NearCalls(props: {
  readonly scene: CallScene;
  readonly node: CallNode | undefined;
}) {
  const { scene } = props;
  const unit = useApp().profile.metricInfo.value;
  const node = props.node ?? scene.nodes[0];
  if (node === undefined) return null;
  const item = (one: CallNode, level: number, value: bigint, word: string) => (
    <div
      key={`${level} ${one.info.key}`}
      id={level === 2 ? CHOSEN_ID : undefined}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-selected={one === props.node}
    >
      {one.info.label ?? one.info.name}, {word} {formatValue(value, unit)},{' '}
      {formatShare(shareOf(value, scene.whole))} of all
    </div>
  );
  return (
    <div class="hidden-visually">
      {callersOf(scene, node)
        .slice(0, NEAR)
        .map(({ caller, value }) => item(caller, 1, value, 'calls it'))}
      {item(node, 2, node.total, 'total')}
      {calleesOf(scene, node)
        .slice(0, NEAR)
        .map(({ callee, value }) => item(callee, 3, value, 'is called'))}
    </div>
  );
}
