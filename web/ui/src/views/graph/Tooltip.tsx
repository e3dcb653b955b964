import { BoxFlag, EdgeFlag } from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GraphScene } from '../../state/graph-scene.ts';
import { KIND_LABELS } from '../../state/graph-view.ts';
import { formatAllDigits } from '../../text/quantity.ts';
import type { Point } from '../../canvas/rect.ts';
import type { GraphController } from './controller.ts';
import { edgeLabelOf, isOpen, kindOf, labelOf, noteOf } from '../../state/graph-drawing.ts';
import type { Target } from './hit.ts';
import { edgeText, secondLine } from './texts.ts';

/** Away from the pointer, so that it hides nothing of what it tells. */
const AWAY = 14;

/** What the pointer is on, in words and with all digits. */
export function GraphTooltip(props: {
  readonly controller: GraphController;
  readonly pointer: ReadonlySignal<Point>;
}) {
  const { controller } = props;
  const box = useRef<HTMLDivElement>(null);
  const hovered = controller.hovered.value;
  const scene = controller.scene.value;
  const { x, y } = props.pointer.value;
  useLayoutEffect(() => {
    const tip = box.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const left = x + AWAY + width > innerWidth - 8 ? x - AWAY - width : x + AWAY;
    const top = y + AWAY + height > innerHeight - 8 ? y - AWAY - height : y + AWAY;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, top)}px`;
  });
  if (scene === undefined || hovered === undefined || !isWorthIt(controller, scene, hovered)) {
    return null;
  }
  return (
    <div ref={box} class="tooltip" role="tooltip">
      {hovered.kind === 'box' ? (
        <BoxTip scene={scene} box={hovered.box} />
      ) : (
        <EdgeTip scene={scene} edge={hovered.edge} />
      )}
    </div>
  );
}

/** The ground of an open container is not worth a word unless its title is out of sight. */
function isWorthIt(controller: GraphController, scene: GraphScene, target: Target): boolean {
  if (target.kind === 'edge' || !isOpen(scene.drawing, target.box)) return true;
  return target.box !== 0 && controller.camera.value.zoom < 0.35;
}

function BoxTip({ scene, box }: { readonly scene: GraphScene; readonly box: number }) {
  const { drawing, overlay } = scene;
  const legend = overlay?.result.nodes;
  const value = overlay?.columns.node_value[box] ?? Number.NaN;
  const transient = (drawing.columns.flags[box]! & BoxFlag.TRANSIENT) !== 0;
  const note = noteOf(drawing, box);
  return (
    <>
      <h2>{labelOf(drawing, box)}</h2>
      <p>
        {transient ? 'transient ' : ''}
        {KIND_LABELS[kindOf(drawing, box)]}
        {note !== '' && ` · ${note}`}
      </p>
      {legend !== null && legend !== undefined && (
        <Told
          name={legend.title}
          text={Number.isNaN(value) ? 'no value' : secondLine(scene, box)}
          exact={
            Number.isNaN(value) || legend.categories.length > 0
              ? ''
              : formatAllDigits(value, null, legend.unit)
          }
        />
      )}
    </>
  );
}

function EdgeTip({ scene, edge }: { readonly scene: GraphScene; readonly edge: number }) {
  const { drawing, overlay } = scene;
  const { edge_from: from, edge_to: to, edge_flags } = drawing.columns;
  const flags = edge_flags[edge]!;
  const legend = overlay?.result.edges;
  const value = overlay?.columns.edge_value[edge] ?? Number.NaN;
  const notes = [
    (flags & EdgeFlag.ORDERS_ONLY) !== 0 ? 'orders only' : '',
    (flags & EdgeFlag.COMBINES) !== 0 ? 'combines with what is there' : '',
    (flags & EdgeFlag.BINDS_VIEW) !== 0
      ? 'says which data a view is of, so that nothing moves'
      : '',
    (flags & EdgeFlag.DYNAMIC) !== 0 ? 'data decides how much moves' : '',
  ].filter((note) => note !== '');
  const label = edgeLabelOf(drawing, edge);
  return (
    <>
      {label !== '' && <h2>{label}</h2>}
      <p>
        {labelOf(drawing, from[edge]!)} → {labelOf(drawing, to[edge]!)}
      </p>
      {notes.length > 0 && <p>{notes.join(', ')}</p>}
      {legend !== null && legend !== undefined && !Number.isNaN(value) && (
        <Told
          name={legend.title}
          text={edgeText(scene, edge)}
          exact={formatAllDigits(value, null, legend.unit)}
        />
      )}
    </>
  );
}

function Told(props: { readonly name: string; readonly text: string; readonly exact: string }) {
  return (
    <table>
      <tbody>
        <tr>
          <th>{props.name}</th>
          <td>
            <b>{props.text}</b>
          </td>
          <td class="mute">{props.exact}</td>
        </tr>
      </tbody>
    </table>
  );
}
