import { useComputed, useSignal } from '@preact/signals';
import { useChartExports } from '../../state/exports.ts';
import { actedFunction } from '../../state/frame-actions.ts';
import { useApp } from '../../state/services.ts';
import { useMade } from '../../widgets/made.ts';
import type { ChartProps } from '../charts/chart.ts';
import { ChartFrame, useChart } from '../charts/ChartFrame.tsx';
import { letGo, standingOut, toggleFunction } from '../charts/chosen.ts';
import { Shapes } from '../charts/Shapes.tsx';
import { type Place, svgOf } from '../charts/shapes.ts';
import { createScatter } from './controller.ts';
import { Help } from './Help.tsx';
import { type Mark, unitOf } from './marks.ts';
import { scatterShapes } from './picture.ts';
import { Popover } from './Popover.tsx';
import { type Direction, markAt, marksIn, nextMark, placed, roomOf } from './room.ts';
import { colouringOf, ScatterBar } from './ScatterBar.tsx';
import { Told } from './Told.tsx';

/** A press that moves further than this chooses what it goes over. */
const LEAST_DRAG = 4;

/** Functions by how often they were called and what a call costs. */
export function ScatterView(props: ChartProps) {
  const app = useApp();
  const chart = useChart(props.spec);
  const { size, palette, inks } = chart;
  const hovered = useSignal<Mark | undefined>(undefined);
  const drag = useSignal<{ readonly from: Place; readonly to: Place } | undefined>(undefined);
  /** Whether the keyboard walks: its mark tells its figures, too. */
  const walks = useSignal(false);
  const scatter = useMade(() => createScatter(app, chart.spec));
  const room = useComputed(() => {
    const scene = scatter.scene.value;
    return scene && size.value.width > 0 ? roomOf(size.value, scene) : undefined;
  });
  const shapes = useComputed(() => {
    const [scene, shown] = [scatter.scene.value, room.value];
    if (scene === undefined || shown === undefined) return [];
    const colouring = colouringOf(app, scene);
    return scatterShapes(scene, shown, {
      inks: inks.value,
      fills: palette.value.fills,
      colour: colouring === 'recursion' ? 'self_share' : colouring,
      border: palette.value.border,
      unit: unitOf(app, scene),
      out: standingOut(app),
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  useChartExports(
    () => ({
      label: 'Scatter',
      picture: () => svgOf(shapes.peek(), size.peek(), inks.peek().paper),
      async csv() {
        const { result } = await app.engine.call('export_calls_csv', { view: chart.spec.peek() });
        return result;
      },
    }),
    [],
  );

  const scene = scatter.scene.value;
  const cursor = scatter.cursor.value;
  const marks = () => scatter.scene.peek()?.marks ?? [];
  const walk = (towards: Direction) => () => {
    const [shown, from] = [room.peek(), scatter.cursor.peek()];
    if (shown === undefined) return;
    walks.value = true;
    const next = from === undefined ? marks()[0] : nextMark(shown, marks(), from, towards);
    if (next !== undefined) scatter.pick(next);
  };
  const toggle = ({ info }: Mark) => toggleFunction(app, info.key);
  const escape = () => {
    hovered.value = undefined;
    letGo(app);
  };
  const markOf = (event: MouseEvent) => room.value && markAt(room.value, marks(), chart.at(event));
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    chart.element.current?.setPointerCapture(event.pointerId);
    chart.element.current?.focus({ preventScroll: true });
    walks.value = false;
    drag.value = { from: chart.at(event), to: chart.at(event) };
  };
  const move = (event: PointerEvent) => {
    const held = drag.peek();
    if (held !== undefined) drag.value = { from: held.from, to: chart.at(event) };
    hovered.value = held === undefined ? markOf(event) : undefined;
  };
  const release = (event: PointerEvent) => {
    const held = drag.peek();
    drag.value = undefined;
    if (held === undefined || room.value === undefined) return;
    const { from, to } = held;
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) >= LEAST_DRAG) {
      scatter.choose(marksIn(room.value, marks(), from, to).map(({ info }) => info.key));
      return;
    }
    const mark = markOf(event);
    if (mark !== undefined && event.shiftKey) toggle(mark);
    else if (mark === undefined) escape();
    else scatter.pick(mark);
  };

  const told = hovered.value ?? (walks.value ? cursor : undefined);
  const ring = cursor && room.value && placed(room.value, cursor);
  const held = drag.value;
  const box = chart.element.current?.getBoundingClientRect();
  return (
    <ChartFrame
      chart={chart}
      picker={props.picker}
      class=""
      noun="Function"
      tools={scene !== undefined && <ScatterBar scene={scene} palette={palette.value} />}
      picture={{
        role: 'application',
        'aria-roledescription': 'scatter plot',
        'aria-label': 'Functions by calls and by what a call costs',
        onPointerDown: press,
        onPointerMove: move,
        onPointerUp: release,
        onPointerCancel() {
          drag.value = undefined;
        },
        onPointerLeave() {
          hovered.value = undefined;
        },
        onDblClick(event) {
          const mark = markOf(event);
          if (mark !== undefined) app.profile.openFunction(mark.info.key);
        },
      }}
      state={scatter.answer.value}
      empty={scene?.totalRows === 0 ? ['No functions', 'Nothing passes the filters.'] : undefined}
      acted={actedFunction(cursor?.info)}
      keys={{
        left: walk('left'),
        right: walk('right'),
        parent: walk('up'),
        child: walk('down'),
        row_first() {
          const [first] = marks();
          walks.value = true;
          if (first !== undefined) scatter.pick(first);
        },
        choose_beside() {
          if (cursor !== undefined) toggle(cursor);
        },
        escape,
      }}
      menuAt={() => ring?.at}
      pickAt={(event) => {
        const mark = markOf(event);
        if (mark !== undefined) scatter.pick(mark);
        return mark !== undefined;
      }}
      help={
        scene && ((close) => <Help primitiveUnknown={scene.primitiveUnknown} onClose={close} />)
      }
      below={
        scene !== undefined && (
          <>
            <Told {...{ scene, cursor }} chosen={scatter.chosen.value} onLetGo={escape} />
            {told !== undefined && room.value !== undefined && box && (
              <PopoverAt {...{ scene, mark: told, box }} place={placed(room.value, told)} />
            )}
          </>
        )
      }
    >
      <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
        {drawing.value}
        {ring !== undefined && (
          <circle class="ring" cx={ring.at[0]} cy={ring.at[1]} r={ring.radius + 3} />
        )}
        {held !== undefined && (
          <rect
            class="brush"
            x={Math.min(held.from[0], held.to[0])}
            y={Math.min(held.from[1], held.to[1])}
            width={Math.abs(held.to[0] - held.from[0])}
            height={Math.abs(held.to[1] - held.from[1])}
          />
        )}
      </svg>
    </ChartFrame>
  );
}

function PopoverAt(props: {
  readonly scene: Parameters<typeof Popover>[0]['scene'];
  readonly mark: Mark;
  readonly box: DOMRect;
  readonly place: ReturnType<typeof placed>;
}) {
  const { scene, mark, box, place } = props;
  const at: Place = [box.left + place.at[0], box.top + place.at[1]];
  return <Popover scene={scene} mark={mark} at={at} radius={place.radius} />;
}
