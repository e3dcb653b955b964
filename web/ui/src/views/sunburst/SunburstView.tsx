import { useComputed, useSignal } from '@preact/signals';
import {
  childrenOf,
  isMerged,
  neighbourOf,
  parentOf,
  type Scene,
  widest,
} from '../../canvas/scene.ts';
import { changeState, stateOf } from '../../state/address-part.ts';
import { useChartExports } from '../../state/exports.ts';
import { useApp } from '../../state/services.ts';
import { formatShare, formatThings } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { Pick } from '../../widgets/Pick.tsx';
import type { ChartProps } from '../charts/chart.ts';
import { ChartFrame, useChart } from '../charts/ChartFrame.tsx';
import { Shapes } from '../charts/Shapes.tsx';
import { svgOf } from '../charts/shapes.ts';
import { CHARTS_PART, type ChartsViewState, CUTS, RINGS } from '../charts/state.ts';
import { litIn, useAsFlame } from '../charts/tree.ts';
import { createSunburst } from './controller.ts';
import { arcsCsv, sunburstShapes } from './picture.ts';
import { arcOf, boxUnder, MOST_RINGS, othersOf, outline, ringsOf } from './rings.ts';
import { Told } from './Told.tsx';

/** The tree in rings: callees around their callers. */
export function SunburstView(props: ChartProps) {
  const app = useApp();
  const chart = useChart(props.spec);
  const { size, palette } = chart;
  const hovered = useSignal<number | undefined>(undefined);
  const sunburst = useMade(() => createSunburst(app, chart.spec));

  const rings = useComputed(() => {
    const scene = sunburst.scene.value;
    if (scene === undefined || size.value.width === 0) return undefined;
    const rows = Math.min(MOST_RINGS + 1, scene.result.total_rows);
    return ringsOf(size.value, rows, stateOf(app.view.value, CHARTS_PART).area);
  });
  const shapes = useComputed(() => {
    const [scene, shown] = [sunburst.scene.value, rings.value];
    if (scene === undefined || shown === undefined) return [];
    return sunburstShapes(scene, shown, {
      palette: palette.value,
      colour: app.profile.colour.value,
      lit: litIn(app, scene),
    });
  });
  const drawing = useComputed(() => <Shapes shapes={shapes.value} />);
  useChartExports(
    () => ({
      label: 'Sunburst',
      picture: () => svgOf(shapes.peek(), size.peek(), palette.peek().background),
      csv() {
        const scene = sunburst.scene.peek();
        return { text: scene === undefined ? '' : arcsCsv(scene), file_name: 'sunburst.csv' };
      },
    }),
    [],
  );
  useAsFlame(app, sunburst, sunburst.scene);

  const scene = sunburst.scene.value;
  const selected = sunburst.selected.value;
  const boxOf = (event: MouseEvent) =>
    scene && rings.value && boxUnder(scene, rings.value, chart.at(event));
  const around = hovered.value ?? selected;
  const others = scene === undefined ? [] : othersOf(scene, rings.value?.ends.length ?? 0);
  const further = (scene?.result.total_rows ?? 0) - (rings.value?.ends.length ?? 0);
  const { cut, area } = stateOf(app.view.value, CHARTS_PART);
  const change = (charts: Partial<ChartsViewState>) => changeState(app, CHARTS_PART, charts);
  const drawnCut = sunburst.state.value.value?.cut ?? cut / 1000;
  return (
    <ChartFrame
      chart={chart}
      picker={props.picker}
      class="sunburst"
      noun="Frame"
      tools={
        <>
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
        </>
      }
      picture={{
        role: 'application',
        'aria-roledescription': 'sunburst',
        'aria-label': 'Calls in rings',
        onClick(event) {
          const box = boxOf(event);
          if (box === undefined) return;
          sunburst.select(box);
          sunburst.zoomTo(box);
        },
        onPointerMove(event) {
          hovered.value = boxOf(event);
        },
        onPointerLeave() {
          hovered.value = undefined;
        },
      }}
      state={sunburst.state.value}
      acted={sunburst.acted.value}
      keys={{
        parent: sunburst.walk(parentOf),
        child: sunburst.walk((current, box) =>
          widest(
            current,
            childrenOf(current, box).filter((child) => !isMerged(current, child)),
          ),
        ),
        left: sunburst.walk((current, box) => beside(current, box, -1)),
        right: sunburst.walk((current, box) => beside(current, box, 1)),
        row_first: () => sunburst.select(0),
        open_sandwich() {
          if (selected !== undefined) sunburst.zoomTo(selected);
        },
        escape: sunburst.zoomOut,
        chart_out: sunburst.zoomOut,
      }}
      menuAt={() => [size.peek().width / 2, size.peek().height / 2]}
      pickAt={(event) => {
        const box = boxOf(event);
        if (box !== undefined) sunburst.select(box);
        return box !== undefined;
      }}
      below={scene !== undefined && <Told scene={scene} box={around} />}
    >
      <svg aria-hidden="true" width={size.value.width} height={size.value.height}>
        {drawing.value}
        {scene !== undefined &&
          rings.value !== undefined &&
          around !== undefined &&
          around < scene.count &&
          scene.boxes.row[around]! < rings.value.ends.length && (
            <path class="ring" d={outline(rings.value.middle, arcOf(scene, rings.value, around))} />
          )}
      </svg>
    </ChartFrame>
  );
}

/** The next box of a ring with a name of its own. */
function beside(scene: Scene, box: number, step: -1 | 1): number | undefined {
  let next = neighbourOf(scene, box, step);
  while (next !== undefined && isMerged(scene, next)) next = neighbourOf(scene, next, step);
  return next;
}
