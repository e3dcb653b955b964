import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { changeState, stateOf } from '../../state/address-part.ts';
import { paletteOf } from '../../canvas/palette.ts';
import {
  childrenOf,
  isMerged,
  labelOf,
  nameOf,
  neighbourOf,
  parentOf,
  type Scene,
  widest,
} from '../../canvas/scene.ts';
import { followSize } from '../../canvas/surface.ts';
import { CHARTS_PART, CUTS, RINGS } from '../charts/state.ts';
import { useCommands } from '../../state/commands.ts';
import { useChartExports } from '../../state/exports.ts';
import {
  type ActedFrame,
  frameHandlers,
  frameMenu,
  isCallable,
} from '../../state/frame-actions.ts';
import { useServices } from '../../state/services.ts';
import { formatShare, formatThings } from '../../text/units.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { Pick } from '../../widgets/Pick.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { Shapes } from '../charts/Shapes.tsx';
import { type Place, svgOf } from '../charts/shapes.ts';
import { createSunburst } from './controller.ts';
import { arcsCsv, sunburstShapes } from './picture.ts';
import { arcOf, boxUnder, MOST_RINGS, othersOf, outline, ringsOf } from './rings.ts';
import { Told } from './Told.tsx';

/** The tree in rings: callees around their callers. */
export function SunburstView(props: {
  readonly spec: ViewSpec;
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hovered = useSignal<number | undefined>(undefined);
  const menu = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const spec = useFollowed(props.spec);
  const sunburst = useMemo(() => createSunburst(app, spec), []);
  useEffect(() => sunburst.dispose, []);
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);

  const rings = useComputed(() => {
    const scene = sunburst.scene.value;
    if (scene === undefined || size.value.width === 0) return undefined;
    const rows = Math.min(MOST_RINGS + 1, scene.result.total_rows);
    return ringsOf(size.value, rows, stateOf(app.view.value, CHARTS_PART).area);
  });
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  const shapes = useComputed(() => {
    const [scene, shown] = [sunburst.scene.value, rings.value];
    if (scene === undefined || shown === undefined) return [];
    const { fn, fns } = app.view.value;
    // In the flat shape keys of modules, files and functions are each counted from 0.
    const isFlat = scene.subject.spec.shape.kind === 'flat';
    const lit = new Set(isFlat ? [] : fn === undefined ? fns : [...fns, fn]);
    return sunburstShapes(scene, shown, {
      palette: palette.value,
      colour: app.profile.colour.value,
      lit,
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  useChartExports(
    () => ({
      label: 'Sunburst',
      picture: () => svgOf(shapes.peek(), size.peek(), palette.peek().background),
      csv() {
        const scene = sunburst.scene.peek();
        const text = scene === undefined ? '' : arcsCsv(scene);
        return Promise.resolve({ text, file_name: 'sunburst.csv' });
      },
    }),
    [],
  );
  useEffect(() => {
    app.profile.flame.value = { scene: sunburst.scene, zoomToPath: sunburst.zoomToPath };
    return () => {
      app.profile.flame.value = undefined;
    };
  }, []);

  const scene = sunburst.scene.value;
  const selected = sunburst.selected.value;
  const { error, pending } = sunburst.state.value;
  const go = (next: (current: Scene, box: number) => number | undefined) => () => {
    const current = sunburst.scene.peek();
    if (current === undefined) return;
    const from = sunburst.selected.peek();
    const box = from === undefined ? 0 : next(current, from);
    if (box !== undefined) sunburst.select(box);
  };
  const acted: ActedFrame | undefined =
    scene === undefined || selected === undefined || isMerged(scene, selected)
      ? undefined
      : {
          name: nameOf(scene, selected),
          label: labelOf(scene, selected),
          key: isCallable(scene.subject.spec, sunburst.pathOf(scene, selected).length)
            ? scene.boxes.key[selected]
            : undefined,
        };
  const { copy_name: _, show_from_frame: __, ...actions } = frameHandlers(app, acted);
  useCommands(commands, () => element.current, {
    ...actions,
    parent: go((current, box) => parentOf(current, box)),
    child: go((current, box) =>
      widest(
        current,
        childrenOf(current, box).filter((child) => !isMerged(current, child)),
      ),
    ),
    left: go((current, box) => beside(current, box, -1)),
    right: go((current, box) => beside(current, box, 1)),
    row_first: () => sunburst.select(0),
    open_sandwich() {
      if (selected !== undefined) sunburst.zoomTo(selected);
    },
    frame_menu() {
      const box = element.current?.getBoundingClientRect();
      if (acted !== undefined && box !== undefined)
        menu.value = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    },
    escape: sunburst.zoomOut,
    chart_out: sunburst.zoomOut,
  });
  const at = (event: MouseEvent): Place => {
    const box = element.current?.getBoundingClientRect();
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  };
  const boxOf = (event: MouseEvent) =>
    scene && rings.value && boxUnder(scene, rings.value, at(event));
  const around = hovered.value ?? selected;
  const others = scene === undefined ? [] : othersOf(scene, rings.value?.ends.length ?? 0);
  const further = (scene?.result.total_rows ?? 0) - (rings.value?.ends.length ?? 0);
  const { cut, area } = stateOf(app.view.value, CHARTS_PART);
  const change = (charts: object) => changeState(app, CHARTS_PART, { ...charts });
  const drawnCut = sunburst.state.value.value?.cut ?? cut / 1000;
  return (
    <div class="scatter sunburst">
      <div class="tools">
        {props.picker}
        <Pick
          label="Arcs from"
          choices={CUTS}
          value={String(cut)}
          onChange={(value) => change({ cut: Number(value) })}
        />
        <Pick
          label="Rings"
          choices={RINGS}
          value={area ? 'area' : 'width'}
          onChange={(value) => change({ area: value === 'area' })}
        />
        <span class="grow" />
        {drawnCut > cut / 1000 && (
          <span class="mute">more than 2,000 arcs: from {formatShare(drawnCut)} on</span>
        )}
        {further > 0 && <span class="mute">{formatThings(further, 'ring')} further out</span>}
        {others.length > 0 && (
          <details class="others">
            <summary>Others by ring</summary>
            <table>
              <thead>
                <tr>
                  <th>Ring</th>
                  <th>Frames</th>
                  <th>Share</th>
                </tr>
              </thead>
              <tbody>
                {others.map(({ ring, count, share }) => (
                  <tr key={ring}>
                    <td>{ring}</td>
                    <td>{count}</td>
                    <td>{formatShare(share)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        )}
      </div>
      <div
        ref={element}
        class="picture"
        data-scope="charts"
        role="application"
        aria-roledescription="sunburst"
        aria-label="Calls in rings"
        tabIndex={0}
        onClick={(event) => {
          const box = boxOf(event);
          if (box === undefined) return;
          sunburst.select(box);
          sunburst.zoomTo(box);
        }}
        onPointerMove={(event) => {
          hovered.value = boxOf(event);
        }}
        onPointerLeave={() => {
          hovered.value = undefined;
        }}
        onContextMenu={(event) => {
          const box = boxOf(event);
          if (box === undefined) return;
          event.preventDefault();
          sunburst.select(box);
          menu.value = { x: event.clientX, y: event.clientY };
        }}
      >
        <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
          {drawing.value}
          {scene !== undefined &&
            rings.value !== undefined &&
            around !== undefined &&
            around < scene.count &&
            scene.boxes.row[around]! < rings.value.ends.length && (
              <path
                class="ring"
                d={outline(rings.value.middle, arcOf(scene, rings.value, around))}
              />
            )}
        </svg>
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <div class="message over">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {pending && <div class="busy" />}
      </div>
      {scene !== undefined && <Told scene={scene} box={around} />}
      {menu.value !== undefined && acted !== undefined && (
        <Menu
          label="Frame"
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

/** The next box of a ring with a name of its own. */
function beside(scene: Scene, box: number, step: -1 | 1): number | undefined {
  let next = neighbourOf(scene, box, step);
  while (next !== undefined && isMerged(scene, next)) next = neighbourOf(scene, next, step);
  return next;
}
