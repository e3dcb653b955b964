import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import {
  childrenOf,
  isMerged,
  labelOf,
  nameOf,
  parentOf,
  type Scene,
  siblingsOf,
} from '../../canvas/scene.ts';
import { followSize } from '../../canvas/surface.ts';
import { useCommands } from '../../state/commands.ts';
import { hasShares } from '../../state/comparison.ts';
import { useChartExports } from '../../state/exports.ts';
import {
  type ActedFrame,
  frameHandlers,
  frameMenu,
  isCallable,
} from '../../state/frame-actions.ts';
import { useServices } from '../../state/services.ts';
import { Menu } from '../../widgets/Menu.tsx';
import { useFollowed } from '../../widgets/followed.ts';
import { Shapes } from '../charts/Shapes.tsx';
import { svgOf } from '../charts/shapes.ts';
import { FrameTree, selectedId } from '../flame/FrameTree.tsx';
import { Tooltip } from '../flame/Tooltip.tsx';
import { boxUnder, rectOf } from './boxes.ts';
import { createTreemap } from './controller.ts';
import { Help } from './Help.tsx';
import { boxesCsv, treemapShapes } from './picture.ts';
import { Told } from './Told.tsx';
import { colouringOf, TreemapBar } from './TreemapBar.tsx';

const LABEL = 'Treemap';

/** The tree as boxes in boxes. */
export function TreemapView(props: {
  readonly spec: ViewSpec;
  /** Leads to the other charts. */
  readonly picker: ComponentChildren;
}) {
  const { app, commands } = useServices();
  const element = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hovered = useSignal<number | undefined>(undefined);
  const pointer = useSignal({ x: 0, y: 0 });
  const isHelp = useSignal(false);
  const menu = useSignal<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const spec = useFollowed(props.spec);
  const treemap = useMemo(() => createTreemap(app, spec, size), []);
  useEffect(() => treemap.dispose, []);
  useEffect(() => (element.current === null ? undefined : followSize(element.current, size)), []);
  const palette = useComputed(() => paletteOf(app.theme.shown.value, document.documentElement));
  const shapes = useComputed(() => {
    const scene = treemap.scene.value;
    if (scene === undefined) return [];
    const { fn, fns } = app.view.value;
    const { spec } = scene.subject;
    // In the flat shape keys of modules, files and functions are each counted from 0.
    const isFlat = spec.shape.kind === 'flat';
    return treemapShapes(scene, {
      palette: palette.value,
      colouring: colouringOf(app),
      unit: app.profile.metricInfo.value,
      shares: hasShares(app.profile.summary.value, spec.metric),
      lit: new Set(isFlat ? [] : fn === undefined ? fns : [...fns, fn]),
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  useChartExports(
    () => ({
      label: LABEL,
      picture: () => svgOf(shapes.peek(), size.peek(), palette.peek().background),
      csv() {
        const scene = treemap.scene.peek();
        const text = scene === undefined ? '' : boxesCsv(scene);
        return Promise.resolve({ text, file_name: 'treemap.csv' });
      },
    }),
    [],
  );
  useEffect(() => {
    app.profile.flame.value = { scene: treemap.scene, zoomToPath: treemap.zoomToPath };
    return () => {
      app.profile.flame.value = undefined;
    };
  }, []);

  const scene = treemap.scene.value;
  const selected = treemap.selected.value;
  const { error, pending } = treemap.state.value;
  const go = (next: (current: Scene, box: number) => number | undefined) => () => {
    const current = treemap.scene.peek();
    if (current === undefined) return;
    const from = treemap.selected.peek();
    const box = from === undefined ? 0 : next(current, from);
    if (box !== undefined) treemap.select(box);
  };
  const acted: ActedFrame | undefined =
    scene === undefined || selected === undefined || isMerged(scene, selected)
      ? undefined
      : {
          name: nameOf(scene, selected),
          label: labelOf(scene, selected),
          key: isCallable(scene.subject.spec, treemap.pathOf(scene, selected).length)
            ? scene.boxes.key[selected]
            : undefined,
        };
  const { copy_name: _, show_from_frame: __, ...actions } = frameHandlers(app, acted);
  useCommands(commands, () => element.current, {
    ...actions,
    parent: go(parentOf),
    // Parts stand from the largest on.
    child: go((current, box) => childrenOf(current, box).find((one) => !isMerged(current, one))),
    left: go((current, box) => beside(current, box, -1)),
    right: go((current, box) => beside(current, box, 1)),
    row_first: () => treemap.select(0),
    open_sandwich() {
      if (selected !== undefined) treemap.zoomTo(selected);
    },
    frame_menu() {
      const box = element.current?.getBoundingClientRect();
      if (acted === undefined || box === undefined || scene === undefined) return;
      const { x, y } = rectOf(scene, selected ?? 0);
      menu.value = { x: box.left + x + 12, y: box.top + y + 18 };
    },
    escape: treemap.zoomOut,
    chart_out: treemap.zoomOut,
  });
  const boxOf = (event: MouseEvent) => {
    const place = element.current?.getBoundingClientRect();
    if (scene === undefined || place === undefined) return undefined;
    return boxUnder(scene, [event.clientX - place.left, event.clientY - place.top]);
  };
  const around =
    selected === undefined || scene === undefined ? undefined : rectOf(scene, selected);
  const isEmpty = scene?.count === 1 && scene.boxes.scale[1] === 0n;
  return (
    <div class="scatter treemap">
      <TreemapBar
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
        aria-label={LABEL}
        aria-activedescendant={selected === undefined ? undefined : selectedId(LABEL)}
        tabIndex={0}
        onClick={(event) => treemap.select(boxOf(event))}
        onDblClick={(event) => {
          const box = boxOf(event);
          if (box !== undefined) treemap.zoomTo(box);
        }}
        onPointerMove={(event) => {
          hovered.value = boxOf(event);
          pointer.value = { x: event.clientX, y: event.clientY };
        }}
        onPointerLeave={() => {
          hovered.value = undefined;
        }}
        onContextMenu={(event) => {
          const box = boxOf(event);
          if (box === undefined || scene === undefined || isMerged(scene, box)) return;
          event.preventDefault();
          treemap.select(box);
          hovered.value = undefined;
          menu.value = { x: event.clientX, y: event.clientY };
        }}
      >
        <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
          {drawing.value}
          {around !== undefined && (
            <rect
              class="ring"
              x={around.x + 1}
              y={around.y + 1}
              width={Math.max(0, around.width - 2)}
              height={Math.max(0, around.height - 2)}
            />
          )}
        </svg>
        {scene !== undefined && <FrameTree scene={scene} selected={selected} label={LABEL} />}
        {error !== undefined && error.code !== 'bad_pattern' && error.code !== 'disconnected' && (
          <div class="message over">
            <h2>{error.message}</h2>
            <p>{error.hint}</p>
          </div>
        )}
        {isEmpty && (
          <div class="message over">
            <h2>Nothing to draw</h2>
            <p>No value of this metric passes the filters.</p>
          </div>
        )}
        {pending && <div class="busy" />}
      </div>
      {scene !== undefined && <Told scene={scene} box={hovered.value ?? selected} />}
      {menu.value === undefined && (
        <Tooltip
          controller={{ scene: treemap.scene, hovered }}
          pointer={pointer}
          inverted={false}
          small={{ are: 'too small to draw apart', hint: 'Zoom in, or take a smaller share.' }}
        />
      )}
      {isHelp.value && (
        <Help
          estimated={app.profile.summary.value?.estimated_paths === true}
          onClose={() => {
            isHelp.value = false;
          }}
        />
      )}
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

/** The next part of the same box with a name of its own, from the largest to the smallest. */
function beside(scene: Scene, box: number, step: -1 | 1): number | undefined {
  const family = siblingsOf(scene, box).filter((one) => !isMerged(scene, one));
  return family[family.indexOf(box) + step];
}
