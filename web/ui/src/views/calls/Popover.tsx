import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Point } from '../../canvas/rect.ts';
import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { boundedName, shortenName, shortenPath } from '../../text/names.ts';
import { formatExact, formatShare, formatValue, shareOf } from '../../text/units.ts';
import { changeWord } from '../comparison/ChangeValues.tsx';
import { Estimate } from '../estimates/Estimate.tsx';
import {
  calleesOf,
  type CallEdge,
  callersOf,
  type CallNode,
  type CallScene,
  itselfOf,
} from './scene.ts';

/** Letters of a file's path, and of callers and callees. */
const MOST_OF_PATH = 120;
const MOST_OF_NAME = 44;
/** Callers and callees that are listed. */
const MOST_CALLS = 5;

/** The figures of a function with its largest callers and callees, beside the pointer. */
export function Popover(props: {
  readonly scene: CallScene;
  readonly node: CallNode;
  readonly pointer: ReadonlySignal<Point>;
}) {
  const { scene, node } = props;
  const app = useApp();
  const unit = app.profile.metricInfo.value;
  const summary = app.profile.summary.value;
  const shares = hasShares(summary, app.profile.metric.value);
  const element = useRef<HTMLDivElement>(null);
  const { x, y } = props.pointer.value;
  useLayoutEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const right = x + 16;
    const left = right + width <= innerWidth - 8 ? right : x - width - 16;
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(8, Math.min(y + 16, innerHeight - height - 8))}px`;
  });
  const row = (label: string, value: bigint) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      <td>
        <b title={formatExact(value, unit)}>{formatValue(value, unit)}</b>
      </td>
      {shares && <td>{formatShare(shareOf(value, scene.whole))}</td>}
    </tr>
  );
  const list = (word: string, calls: readonly CallEdge[], other: (edge: CallEdge) => CallNode) =>
    calls.slice(0, MOST_CALLS).map((edge) => {
      const { info } = other(edge);
      return row(`${word} ${shortenName(info.label ?? info.name, MOST_OF_NAME)}`, edge.value);
    });
  const itself = itselfOf(scene, node);
  const place = [node.info.file, node.info.module].filter((part) => part !== '');
  const estimated = scene.estimated ? ', estimated' : '';
  return (
    <div ref={element} class="tooltip" role="tooltip">
      <h2>{boundedName(node.info.label ?? node.info.name)}</h2>
      <p>{place.map((part) => shortenPath(part, MOST_OF_PATH)).join(' · ')}</p>
      {node.info.tag !== null && <p class="change">{changeWord(node.info.tag)}</p>}
      <table>
        <tbody>
          {row('total', node.total)}
          {row('self', node.self)}
          {itself !== undefined && row(`calls of itself${estimated}`, itself)}
          {list(`from`, callersOf(scene, node), ({ caller }) => caller)}
          {list(`to`, calleesOf(scene, node), ({ callee }) => callee)}
        </tbody>
      </table>
      <p>{formatExact(node.total, unit)}</p>
      <Estimate of={node.info.key} />
    </div>
  );
}
