import { useComputed, useSignal } from '@preact/signals';
import { childrenOf, isMerged, parentOf, type Scene, siblingsOf } from '../../canvas/scene.ts';
import { hasShares } from '../../state/comparison.ts';
import { useChartExports } from '../../state/exports.ts';
import { useApp } from '../../state/services.ts';
import { useMade } from '../../widgets/made.ts';
import type { ChartProps } from '../charts/chart.ts';
import { ChartFrame, useChart } from '../charts/ChartFrame.tsx';
import { Shapes } from '../charts/Shapes.tsx';
import { svgOf } from '../charts/shapes.ts';
import { litIn, useAsFlame } from '../charts/tree.ts';
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
export function TreemapView(props: ChartProps) {
  const app = useApp();
  const chart = useChart(props.spec);
  const { size, palette, menu } = chart;
  const hovered = useSignal<number | undefined>(undefined);
  const pointer = useSignal({ x: 0, y: 0 });
  const treemap = useMade(() => createTreemap(app, chart.spec, size));
  const shapes = useComputed(() => {
    const scene = treemap.scene.value;
    if (scene === undefined) return [];
    return treemapShapes(scene, {
      palette: palette.value,
      colouring: colouringOf(app),
      unit: app.profile.metricInfo.value,
      shares: hasShares(app.profile.summary.value, scene.subject.spec.metric),
      lit: litIn(app, scene),
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  useChartExports(
    () => ({
      label: LABEL,
      picture: () => svgOf(shapes.peek(), size.peek(), palette.peek().background),
      csv() {
        const scene = treemap.scene.peek();
        return { text: scene === undefined ? '' : boxesCsv(scene), file_name: 'treemap.csv' };
      },
    }),
    [],
  );
  useAsFlame(app, treemap, treemap.scene);

  const scene = treemap.scene.value;
  const selected = treemap.selected.value;
  const boxOf = (event: MouseEvent) => scene && boxUnder(scene, chart.at(event));
  const around =
    selected === undefined || scene === undefined ? undefined : rectOf(scene, selected);
  const isEmpty = scene?.count === 1 && scene.boxes.scale[1] === 0n;
  return (
    <ChartFrame
      chart={chart}
      picker={props.picker}
      class="treemap"
      noun="Frame"
      tools={<TreemapBar scene={scene} palette={palette.value} />}
      picture={{
        role: 'tree',
        'aria-label': LABEL,
        'aria-activedescendant': selected === undefined ? undefined : selectedId(LABEL),
        onClick: (event) => treemap.select(boxOf(event)),
        onDblClick(event) {
          const box = boxOf(event);
          if (box !== undefined) treemap.zoomTo(box);
        },
        onPointerMove(event) {
          hovered.value = boxOf(event);
          pointer.value = { x: event.clientX, y: event.clientY };
        },
        onPointerLeave() {
          hovered.value = undefined;
        },
      }}
      state={treemap.state.value}
      empty={
        isEmpty ? ['Nothing to draw', 'No value of this metric passes the filters.'] : undefined
      }
      acted={treemap.acted.value}
      keys={{
        parent: treemap.walk(parentOf),
        // Parts stand from the largest on.
        child: treemap.walk((current, box) =>
          childrenOf(current, box).find((one) => !isMerged(current, one)),
        ),
        left: treemap.walk((current, box) => beside(current, box, -1)),
        right: treemap.walk((current, box) => beside(current, box, 1)),
        row_first: () => treemap.select(0),
        open_sandwich() {
          if (selected !== undefined) treemap.zoomTo(selected);
        },
        escape: treemap.zoomOut,
        chart_out: treemap.zoomOut,
      }}
      menuAt={() => around && [around.x + 12, around.y + 18]}
      pickAt={(event) => {
        const box = boxOf(event);
        if (box === undefined || scene === undefined || isMerged(scene, box)) return false;
        treemap.select(box);
        hovered.value = undefined;
        return true;
      }}
      help={(close) => (
        <Help estimated={app.profile.summary.value?.estimated_paths === true} onClose={close} />
      )}
      below={
        <>
          {scene !== undefined && <Told scene={scene} box={hovered.value ?? selected} />}
          {menu.value === undefined && (
            <Tooltip
              controller={{ scene: treemap.scene, hovered }}
              pointer={pointer}
              inverted={false}
              small={{ are: 'too small to draw apart', hint: 'Zoom in, or take a smaller share.' }}
            />
          )}
        </>
      }
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
    </ChartFrame>
  );
}

/** The next part of the same box with a name of its own, from the largest to the smallest. */
function beside(scene: Scene, box: number, step: -1 | 1): number | undefined {
  const family = siblingsOf(scene, box).filter((one) => !isMerged(scene, one));
  return family[family.indexOf(box) + step];
}
