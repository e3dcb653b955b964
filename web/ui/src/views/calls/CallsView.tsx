import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spread } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import { followSize } from '../../canvas/surface.ts';
import { useCommands } from '../../state/commands.ts';
import { hasShares } from '../../state/comparison.ts';
import { useChartExports } from '../../state/exports.ts';
import { type ActedFrame, frameHandlers, frameMenu } from '../../state/frame-actions.ts';
import { useServices } from '../../state/services.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { letGo, standingOut, toggleFunction } from '../charts/chosen.ts';
import { inksOf } from '../charts/inks.ts';
import { Shapes } from '../charts/Shapes.tsx';
import { svgOf } from '../charts/shapes.ts';
import { toScreen } from '../graph/camera.ts';
import { wheelEffect } from '../graph/wheel.ts';
import { CallsBar, colouringOf } from './CallsBar.tsx';
import { createCalls } from './controller.ts';
import { Help } from './Help.tsx';
import { CHOSEN_ID, NearCalls } from './NearCalls.tsx';
import { callShapes, callsCsv } from './picture.ts';
import { Popover } from './Popover.tsx';
import { type CallNode, nodeAt } from './scene.ts';
import { Told } from './Told.tsx';

/** Functions, with their calls between them. */
export function CallsView(props: {
  readonly spec: ViewSpec;
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hovered = useSignal<CallNode | undefined>(undefined);
  const pointer = useSignal<Point>({ x: 0, y: 0 });
  const isHelp = useSignal(false);
  const menu = useSignal<Point | undefined>(undefined);
  const spec = useFollowed(props.spec);
  const calls = useMemo(() => createCalls(app, spec, size), []);
  useEffect(() => calls.dispose, []);
  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const under = (at: Point) => {
      const scene = calls.scene.peek();
      return scene && nodeAt(scene, calls.placeAt(at));
    };
    const stopSize = followSize(host, size);
    const stopPointer = followPointer(host, {
      buttons: [0, 1],
      pointer,
      hover(at) {
        hovered.value = at && under(at);
      },
      wheel(wheel, at) {
        const effect = wheelEffect(wheel);
        if (effect.kind === 'zoom') calls.zoomBy(effect.factor, at);
        else calls.panBy(effect.dx, effect.dy);
      },
      drag: (from, to) => calls.panBy(from.x - to.x, from.y - to.y),
      pinch: (pinch) => calls.zoomBy(spread(pinch), middleOf(pinch)),
      click(at) {
        const node = under(at);
        if (node === undefined) letGo(app);
        else calls.pick(node);
      },
      doubleClick(at) {
        const node = under(at);
        if (node !== undefined) app.profile.openFunction(node.info.key);
      },
      openMenu(at, inWindow) {
        const node = under(at);
        if (node === undefined) return;
        calls.pick(node);
        hovered.value = undefined;
        menu.value = inWindow;
      },
    });
    return () => {
      stopSize();
      stopPointer();
    };
  }, []);
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  const inks = useComputed(() => (app.theme.shown.value, inksOf(document.documentElement)));
  const shapes = useComputed(() => {
    const scene = calls.scene.value;
    if (scene === undefined) return [];
    return callShapes(scene, {
      inks: inks.value,
      palette: palette.value,
      colouring: colouringOf(app),
      unit: app.profile.metricInfo.value,
      shares: hasShares(app.profile.summary.value, app.profile.metric.value),
      out: standingOut(app),
      chosen: app.view.value.fn,
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  const motion = useComputed(() => {
    const { x, y } = toScreen(calls.camera.value, size.value, { x: 0, y: 0 });
    return `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${calls.camera.value.zoom})`;
  });
  useChartExports(
    () => ({
      label: 'Call graph',
      picture() {
        const { width, height } = calls.scene.peek()?.size ?? { width: 1, height: 1 };
        return svgOf(shapes.peek(), { width, height }, inks.peek().paper);
      },
      csv() {
        const scene = calls.scene.peek();
        const text = scene === undefined ? '' : callsCsv(scene);
        return Promise.resolve({ text, file_name: 'call-graph.csv' });
      },
    }),
    [],
  );

  const scene = calls.scene.value;
  const node = calls.cursor.value;
  const { error, pending } = calls.state.value;
  const acted: ActedFrame | undefined = node && {
    name: node.info.name,
    label: node.info.label ?? node.info.name,
    key: node.info.key,
  };
  const { copy_name: _, show_from_frame: __, ...actions } = frameHandlers(app, acted);
  useCommands(commands, () => element.current, {
    ...actions,
    parent: () => calls.walk('caller'),
    child: () => calls.walk('callee'),
    left: () => calls.walk('left'),
    right: () => calls.walk('right'),
    row_first: () => calls.pick(calls.scene.peek()?.nodes[0]),
    choose_beside() {
      if (node !== undefined) toggleFunction(app, node.info.key);
    },
    zoom_in: () => calls.zoomBy(1.4),
    zoom_out: () => calls.zoomBy(1 / 1.4),
    whole: () => calls.whole(),
    frame_menu() {
      const box = element.current?.getBoundingClientRect();
      if (node === undefined || box === undefined) return;
      const at = toScreen(calls.camera.peek(), size.peek(), node);
      menu.value = { x: box.left + at.x + 20, y: box.top + at.y + 20 };
    },
    escape: () => letGo(app),
  });
  return (
    <div class="scatter calls">
      <CallsBar
        scene={scene}
        palette={palette.value}
        picker={props.picker}
        onHelp={() => {
          isHelp.value = true;
        }}
      />
      <div
        ref={element}
        class="picture"
        data-scope="charts"
        role="tree"
        aria-label="Call graph"
        aria-activedescendant={node === undefined ? undefined : CHOSEN_ID}
        tabIndex={0}
      >
        <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
          <g transform={motion.value}>{drawing.value}</g>
        </svg>
        {scene !== undefined && <NearCalls scene={scene} node={node} />}
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <div class="message over">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {scene?.nodes.length === 0 && (
          <div class="message over">
            <h2>No functions</h2>
            <p>Nothing passes the filters and the least share.</p>
          </div>
        )}
        {pending && <div class="busy" />}
      </div>
      {scene !== undefined && <Told scene={scene} node={hovered.value ?? node} />}
      {scene !== undefined && hovered.value !== undefined && menu.value === undefined && (
        <Popover scene={scene} node={hovered.value} pointer={pointer} />
      )}
      {isHelp.value && (
        <Help
          estimated={scene?.estimated === true}
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
