import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { followPointer } from '../../canvas/pointer.ts';
import { middleOf, spread } from '../../canvas/presses.ts';
import type { Point } from '../../canvas/rect.ts';
import { hasShares } from '../../state/comparison.ts';
import { useChartExports } from '../../state/exports.ts';
import { actedFunction } from '../../state/frame-actions.ts';
import { useApp } from '../../state/services.ts';
import { useMade } from '../../widgets/made.ts';
import type { ChartProps } from '../charts/chart.ts';
import { ChartFrame, useChart } from '../charts/ChartFrame.tsx';
import { letGo, standingOut, toggleFunction } from '../charts/chosen.ts';
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
export function CallsView(props: ChartProps) {
  const app = useApp();
  const chart = useChart(props.spec);
  const { size, menu, palette, inks } = chart;
  const hovered = useSignal<CallNode | undefined>(undefined);
  const pointer = useSignal<Point>({ x: 0, y: 0 });
  const calls = useMade(() => createCalls(app, chart.spec, size));
  useEffect(() => {
    const host = chart.element.current;
    if (host === null) return undefined;
    const under = (at: Point) => {
      const scene = calls.scene.peek();
      return scene && nodeAt(scene, calls.placeAt(at));
    };
    return followPointer(host, {
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
  }, []);
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
        return { text: scene === undefined ? '' : callsCsv(scene), file_name: 'call-graph.csv' };
      },
    }),
    [],
  );

  const scene = calls.scene.value;
  const node = calls.cursor.value;
  return (
    <ChartFrame
      chart={chart}
      picker={props.picker}
      class="calls"
      noun="Function"
      tools={<CallsBar scene={scene} palette={palette.value} />}
      picture={{
        role: 'tree',
        'aria-label': 'Call graph',
        'aria-activedescendant': node === undefined ? undefined : CHOSEN_ID,
      }}
      state={calls.state.value}
      empty={
        scene?.nodes.length === 0
          ? ['No functions', 'Nothing passes the filters and the least share.']
          : undefined
      }
      acted={actedFunction(node?.info)}
      keys={{
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
        escape: () => letGo(app),
      }}
      menuAt={() => {
        const at = node && toScreen(calls.camera.peek(), size.peek(), node);
        return at && [at.x + 20, at.y + 20];
      }}
      help={(close) => <Help estimated={scene?.estimated === true} onClose={close} />}
      below={
        scene !== undefined && (
          <>
            <Told scene={scene} node={hovered.value ?? node} />
            {hovered.value !== undefined && menu.value === undefined && (
              <Popover scene={scene} node={hovered.value} pointer={pointer} />
            )}
          </>
        )
      }
    >
      <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
        <g transform={motion.value}>{drawing.value}</g>
      </svg>
      {scene !== undefined && <NearCalls scene={scene} node={node} />}
    </ChartFrame>
  );
}
