import type { ViewSpec } from '@hotframe/engine';
import type { ComponentChildren } from 'preact';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { followSize } from '../../canvas/surface.ts';
import { useCommands } from '../../state/commands.ts';
import { useChartExports } from '../../state/exports.ts';
import { type ActedFrame, frameHandlers, frameMenu } from '../../state/frame-actions.ts';
import { useServices } from '../../state/services.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { letGo, standingOut, toggleFunction } from '../charts/chosen.ts';
import { inksOf } from '../charts/inks.ts';
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
export function ScatterView(props: {
  readonly spec: ViewSpec;
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hovered = useSignal<Mark | undefined>(undefined);
  const drag = useSignal<{ readonly from: Place; readonly to: Place } | undefined>(undefined);
  const menu = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const isHelp = useSignal(false);
  /** Whether the keyboard walks: its mark tells its figures, too. */
  const walks = useSignal(false);
  const spec = useFollowed(props.spec);
  const scatter = useMemo(() => createScatter(app, spec), []);
  useEffect(() => scatter.dispose, []);
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);

  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  const inks = useComputed(() => {
    app.theme.shown.value;
    return inksOf(document.documentElement);
  });
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
        const { result } = await app.engine.call('export_calls_csv', { view: spec.peek() });
        return result;
      },
    }),
    [],
  );

  const scene = scatter.scene.value;
  const cursor = scatter.cursor.value;
  const { error, pending } = scatter.answer.value;
  const marks = () => scatter.scene.peek()?.marks ?? [];
  const walk = (towards: Direction) => () => {
    const [shown, from] = [room.peek(), scatter.cursor.peek()];
    if (shown === undefined) return;
    walks.value = true;
    const next = from === undefined ? marks()[0] : nextMark(shown, marks(), from, towards);
    if (next !== undefined) scatter.pick(next);
  };
  const acted: ActedFrame | undefined = cursor && {
    name: cursor.info.name,
    label: cursor.info.label ?? cursor.info.name,
    key: cursor.info.key,
  };
  const toggle = ({ info }: Mark) => toggleFunction(app, info.key);
  const escape = () => {
    hovered.value = undefined;
    letGo(app);
  };
  const { copy_name: _, show_from_frame: __, ...actions } = frameHandlers(app, acted);
  useCommands(commands, () => element.current, {
    ...actions,
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
    frame_menu() {
      const [shown, box] = [room.peek(), element.current?.getBoundingClientRect()];
      if (cursor === undefined || shown === undefined || box === undefined) return;
      const [x, y] = placed(shown, cursor).at;
      menu.value = { x: box.left + x, y: box.top + y };
    },
    escape,
  });

  const at = (event: MouseEvent): Place => {
    const box = element.current?.getBoundingClientRect();
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  };
  const markOf = (event: MouseEvent) => room.value && markAt(room.value, marks(), at(event));
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    element.current?.setPointerCapture(event.pointerId);
    element.current?.focus({ preventScroll: true });
    walks.value = false;
    drag.value = { from: at(event), to: at(event) };
  };
  const move = (event: PointerEvent) => {
    const held = drag.peek();
    if (held !== undefined) drag.value = { from: held.from, to: at(event) };
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
  const box = element.current?.getBoundingClientRect();
  return (
    <div class="scatter">
      {scene === undefined ? (
        <div class="tools">{props.picker}</div>
      ) : (
        <ScatterBar
          picker={props.picker}
          scene={scene}
          palette={palette.value}
          onHelp={() => {
            isHelp.value = true;
          }}
        />
      )}
      <div
        ref={element}
        class="picture"
        data-scope="charts"
        role="application"
        aria-roledescription="scatter plot"
        aria-label="Functions by calls and by what a call costs"
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => {
          drag.value = undefined;
        }}
        onPointerLeave={() => {
          hovered.value = undefined;
        }}
        onDblClick={(event) => {
          const mark = markOf(event);
          if (mark !== undefined) app.profile.openFunction(mark.info.key);
        }}
        onContextMenu={(event) => {
          const mark = markOf(event);
          if (mark === undefined) return;
          event.preventDefault();
          scatter.pick(mark);
          menu.value = { x: event.clientX, y: event.clientY };
        }}
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
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <div class="message over">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {scene?.totalRows === 0 && (
          <div class="message over">
            <h2>No functions</h2>
            <p>Nothing passes the filters.</p>
          </div>
        )}
        {pending && <div class="busy" />}
      </div>
      {scene !== undefined && (
        <Told {...{ scene, cursor }} chosen={scatter.chosen.value} onLetGo={escape} />
      )}
      {told !== undefined && scene !== undefined && room.value !== undefined && box && (
        <PopoverAt {...{ scene, mark: told, box }} place={placed(room.value, told)} />
      )}
      {isHelp.value && (
        <Help
          primitiveUnknown={scene?.primitiveUnknown}
          onClose={() => {
            isHelp.value = false;
          }}
        />
      )}
      {menu.value !== undefined && acted !== undefined && (
        <Menu
          label="Function"
          heading={acted.label}
          x={menu.value.x}
          y={menu.value.y}
          items={frameMenu(app, acted)}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
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
