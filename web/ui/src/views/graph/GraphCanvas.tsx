import { BoxFlag } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Point } from '../../canvas/rect.ts';
import { followSize } from '../../canvas/surface.ts';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import type { MenuItem } from '../../state/commands.ts';
import { Menu } from '../../widgets/Menu.tsx';
import type { GraphController } from './controller.ts';
import { isFoldable, isOpen, labelOf } from '../../state/graph-drawing.ts';
import { followGraphPointer } from './gestures.ts';
import { GraphLegends } from './Legend.tsx';
import { GraphMinimap } from './Minimap.tsx';
import { GraphTooltip } from './Tooltip.tsx';
import { NearTree, SpokenElement } from './NearTree.tsx';
import { usePainting } from './painting.ts';
import type { Target } from './hit.ts';
import { Whereabouts } from './Whereabouts.tsx';

/** So far an arrow key with Shift or Page Down moves, as a share of the screen. */
const PAGE = 0.8;

/** The picture of a graph: canvas, tooltip, menu, legends, minimap and keyboard. */
export function GraphCanvas(props: { readonly controller: GraphController }) {
  const { app, commands } = useServices();
  const { controller } = props;
  const { graph } = app;
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal<Point>({ x: 0, y: 0 });
  const menu = useSignal<Point | undefined>(undefined);

  useEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const stopSize = followSize(host, controller.size);
    const stopPointer = followGraphPointer(host, controller, pointer, {
      clicked: () => app.source.pointed(),
      openMenu(x, y) {
        menu.value = { x, y };
      },
    });
    return () => {
      stopSize();
      stopPointer();
    };
  }, []);

  usePainting(controller, canvas);

  const page = () => controller.size.peek().height * PAGE;
  const openSource = () => app.source.openSelected(true);
  useCommands(commands, () => element.current, {
    successor: () => controller.walk('successor'),
    predecessor: () => controller.walk('predecessor'),
    left: () => controller.walk('left'),
    right: () => controller.walk('right'),
    inside: () => controller.walk('inside'),
    outside: () => controller.walk('outside'),
    toggle_fold: controller.toggleSelected,
    toggle_sum() {
      const element = graph.view.peek().selection;
      if (element !== undefined) graph.toggleSum(element);
    },
    zoom_to() {
      const target = controller.selected.peek();
      if (target !== undefined) controller.fitTo(target);
    },
    zoom_in: () => controller.zoomBy(1.4, undefined, true),
    zoom_out: () => controller.zoomBy(1 / 1.4, undefined, true),
    page_up: () => controller.panBy(0, -page(), true),
    page_down: () => controller.panBy(0, page(), true),
    whole: () => controller.fitAll(),
    next_match: () => graph.stepMatch(1),
    previous_match: () => graph.stepMatch(-1),
    open_source: openSource,
    frame_menu() {
      const place = element.current?.getBoundingClientRect();
      if (controller.selected.peek() === undefined || place === undefined) return;
      menu.value = { x: place.left + 60, y: place.top + 60 };
    },
    escape: () => controller.select(undefined),
  });

  const scene = controller.scene.value;
  const selected = controller.selected.value;
  const error = graph.error.value;
  return (
    <div class="graph-canvas">
      <div
        ref={element}
        class="picture"
        data-scope="graph"
        role="tree"
        tabIndex={0}
        aria-label="Dataflow graph"
        aria-activedescendant={selected?.kind === 'box' ? 'graph-selected' : undefined}
      >
        <canvas ref={canvas} class="graph" aria-hidden="true" />
        {scene !== undefined && <NearTree scene={scene} selected={selected} />}
      </div>
      <SpokenElement scene={scene} selected={selected} />
      {error !== undefined && error.code !== 'disconnected' && (
        <div class="message over">
          <h2>{error.message}</h2>
          <p>{error.hint}</p>
        </div>
      )}
      {graph.busy.value && <div class="busy" />}
      {scene !== undefined && (
        <>
          <Whereabouts controller={controller} />
          <GraphLegends scene={scene} />
          <GraphMinimap controller={controller} />
        </>
      )}
      {menu.value === undefined && <GraphTooltip controller={controller} pointer={pointer} />}
      {menu.value !== undefined && selected !== undefined && (
        <Menu
          label="Element"
          heading={headingOf(controller, selected)}
          x={menu.value.x}
          y={menu.value.y}
          items={menuItems(controller, selected, openSource)}
          onClose={() => {
            menu.value = undefined;
            element.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function headingOf(controller: GraphController, target: Target): string {
  const drawing = controller.scene.peek()?.drawing;
  return drawing !== undefined && target.kind === 'box' ? labelOf(drawing, target.box) : 'Edge';
}

function menuItems(
  controller: GraphController,
  target: Target,
  openSource: () => void,
): readonly MenuItem[] {
  const drawing = controller.scene.peek()?.drawing;
  const box = target.kind === 'box' ? target.box : undefined;
  const canFold = drawing !== undefined && box !== undefined && isFoldable(drawing, box);
  return [
    ...(canFold
      ? [
          {
            label: isOpen(drawing, box) ? 'Fold' : 'Unfold',
            key: 'Enter',
            run: () => controller.toggle(box),
          },
        ]
      : []),
    { label: 'Zoom to it', key: 'z', run: () => controller.fitTo(target) },
    ...(drawing !== undefined &&
    box !== undefined &&
    (drawing.columns.flags[box]! & BoxFlag.SOURCE) !== 0
      ? [{ label: 'Open its source', key: 'e', run: openSource }]
      : []),
  ];
}
