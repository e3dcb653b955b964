import { FlameFlag } from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { changeOf } from '../../canvas/colour.ts';
import {
  fileOf,
  isMerged,
  isUnsure,
  labelOf,
  moduleOf,
  parentOf,
  type Scene,
} from '../../canvas/scene.ts';
import { comparedMetric, differenceOf, hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { boundedName, shortenPath } from '../../text/names.ts';
import {
  formatChange,
  formatExact,
  formatInteger,
  formatShare,
  formatValue,
  NO_VALUE,
  shareOf,
} from '../../text/units.ts';
import { changeWord } from '../comparison/ChangeValues.tsx';
import { Estimate } from '../estimates/Estimate.tsx';
import type { FlameController } from './controller.ts';
import { unitOf } from './unit.ts';

/** Between the pointer and the tooltip: a row of frames stays in sight. */
const AWAY = 20;
/** Letters of a file's or module's path. */
const MOST_OF_PATH = 160;

/** What is under the pointer: full name, place in code, and the values with their shares. */
export function Tooltip(props: {
  readonly controller: Pick<FlameController, 'scene' | 'hovered'>;
  readonly pointer: ReadonlySignal<{ readonly x: number; readonly y: number }>;
  /** Whether callers lie below. */
  readonly inverted: boolean;
  /** What is said of boxes that stand for several frames. */
  readonly small?: { readonly are: string; readonly hint: string };
}) {
  const app = useApp();
  const small = props.small ?? { are: 'too narrow to draw', hint: 'Click to zoom in on them.' };
  const summary = app.profile.summary.value;
  const element = useRef<HTMLDivElement>(null);
  const scene = props.controller.scene.value;
  const box = props.controller.hovered.value;
  const { x, y } = props.pointer.value;
  useLayoutEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    // On the side of the callers: what a frame calls is what one goes on to read.
    const [above, below] = [y - height - AWAY, y + AWAY];
    const [fitsAbove, fitsBelow] = [above >= 8, below + height <= innerHeight - 8];
    const isAbove = props.inverted ? !fitsBelow && fitsAbove : fitsAbove || !fitsBelow;
    tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(8, Math.min(isAbove ? above : below, innerHeight - height - 8))}px`;
  });
  if (scene === undefined || box === undefined || box >= scene.count) return null;
  const unit = unitOf(app, scene);
  const total = scene.boxes.total_value[box]!;
  const self = scene.boxes.self_value[box]!;
  const merged = scene.boxes.merged[box]!;
  const rest = scene.rests?.get(box);
  // What is left out of totals that do not add up is only counted.
  const isTold = rest === undefined || total !== NO_VALUE;
  const atRoot = scene.boxes.row[box] === 0;
  const parent = parentOf(scene, box);
  const parentTotal = atRoot
    ? scene.boxes.scale[2]!
    : parent === undefined
      ? undefined
      : scene.boxes.total_value[parent]!;
  const zoomed = scene.root !== 0;
  const shares = hasShares(summary, scene.subject.spec.metric);
  const change = changeOf(scene.boxes.tag[box]);
  const base = scene.boxes.base_value[box] ?? 0n;
  const now = scene.boxes.new_value[box] ?? 0n;
  const difference = differenceOf(summary, base, now);
  const compared = comparedMetric(summary, scene.subject.spec.metric);
  const side = summary?.metrics[compared?.metric.both ?? 0] ?? unit;
  const estimated = summary?.estimated_paths === true ? ', estimated' : '';
  const row = (label: string, value: bigint) => (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <b>{unit.signed ? formatChange(value, unit) : formatValue(value, unit)}</b>
      </td>
      {shares && (
        <>
          <td>{formatShare(shareOf(value, scene.boxes.scale[0]!))}</td>
          <td>{parentTotal === undefined ? '' : formatShare(shareOf(value, parentTotal))}</td>
          {zoomed && <td>{formatShare(shareOf(value, scene.boxes.scale[1]!))}</td>}
        </>
      )}
    </tr>
  );
  return (
    <div ref={element} class="tooltip" role="tooltip">
      <h2>
        {isMerged(scene, box)
          ? (rest ?? `${formatInteger(merged)} frames, ${small.are}`)
          : boundedName(labelOf(scene, box))}
      </h2>
      {isMerged(scene, box) ? (
        <p>{rest === undefined ? small.hint : 'Click to show them.'}</p>
      ) : (
        <p>{placeText(scene, box)}</p>
      )}
      {change !== undefined && compared !== undefined && summary !== undefined && (
        <p class="change">
          {changeWord(change)}
          {isUnsure(scene, box) && ', not shown by the runs'}: {formatValue(base, side)} →{' '}
          {formatValue(now, side)}, <b>{formatChange(difference, side)}</b>
          {base === 0n ? '' : ` (${formatShare(shareOf(difference, base))})`}
        </p>
      )}
      {isTold && (
        <table>
          <thead>
            <tr>
              <td />
              <td />
              {shares && (
                <>
                  <th>of all</th>
                  <th>of caller</th>
                  {zoomed && <th>of zoom</th>}
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {total !== NO_VALUE &&
              row(
                `${compared?.side === 'both' ? 'base + new' : rest === undefined ? 'total' : 'together'}${estimated}`,
                total,
              )}
            {rest === undefined &&
              (!isMerged(scene, box) || total === NO_VALUE) &&
              row('self', self)}
          </tbody>
        </table>
      )}
      {isTold && <p>{formatExact(total === NO_VALUE ? self : total, unit)}</p>}
      {!isMerged(scene, box) && !atRoot && <Estimate of={scene.boxes.key[box]} />}
    </div>
  );
}

function placeText(scene: Scene, box: number): string {
  const flags = scene.boxes.flags[box]!;
  const parts = [fileOf(scene, box), moduleOf(scene, box)]
    .filter((part) => part !== '')
    .map((part) => shortenPath(part, MOST_OF_PATH));
  if ((flags & FlameFlag.NO_SOURCE) !== 0) parts.push('no source position');
  if ((flags & FlameFlag.INLINED) !== 0) parts.push('inlined');
  if ((flags & FlameFlag.RECURSIVE) !== 0) parts.push('recursive');
  if ((flags & FlameFlag.MATCHES) !== 0) parts.push('matches the search');
  return parts.join(' · ');
}
