import { useMemo } from 'preact/hooks';
import type { AccessesRun } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatThings } from '../../text/units.ts';
import { countMisses, histogramOf } from './histogram.ts';

const WIDTH = 300;
const HEIGHT = 120;

/**
 * Misses for every size of a cache whose lines may stand anywhere, by its logarithm. A click chooses one, unless
 * sets are given, which it would take away.
 */
export function MissCurve(props: { readonly run: AccessesRun; readonly lines: number }) {
  const { accesses } = useApp();
  const { run, lines } = props;
  const { line, cache } = accesses.view.value;
  const isChosen = cache === '';
  const curve = useMemo(() => curveOf(run), [run]);
  const most = Math.max(1, ...curve.map(({ misses }) => misses));
  const end = Math.max(4, curve.at(-1)?.lines ?? 4, lines);
  const x = (size: number) => (Math.log2(Math.max(1, size)) / Math.log2(end)) * WIDTH;
  const y = (misses: number) => HEIGHT - (misses / most) * (HEIGHT - 6);
  // Steps: misses stay the same up to the next size that matters.
  let path = '';
  curve.forEach(({ lines: size, misses }, index) => {
    path += index === 0 ? `M${x(size)},${y(misses)}` : `H${x(size)}V${y(misses)}`;
  });
  path += `H${WIDTH}`;
  const own = countMisses(histogramOf(run, undefined), lines);
  return (
    <figure class="accesses-curve">
      <svg
        viewBox={`-2 -4 ${WIDTH + 6} ${HEIGHT + 8}`}
        role="img"
        aria-label={`Misses from 1 to ${end} lines`}
        class={isChosen ? 'chooses' : ''}
        onClick={(event) => {
          if (!isChosen) return;
          const box = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - box.left) / box.width;
          const wanted = Math.round(2 ** (Math.min(1, Math.max(0, share)) * Math.log2(end)));
          accesses.update({ lines: Math.max(1, wanted) }, 'replace');
        }}
      >
        <path d={path} class="curve" />
        <line x1={x(lines)} x2={x(lines)} y1={0} y2={HEIGHT} class="at" />
        <circle cx={x(lines)} cy={y(own.cold + own.capacity)} r={3} class="at" />
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} class="axis" />
      </svg>
      <figcaption class="mute number">
        From 1 line to {formatThings(end, 'line')} ({formatBytes(end * line)}), which may stand
        anywhere. At {formatThings(lines, 'line')}: {formatThings(own.cold + own.capacity, 'miss')}.
      </figcaption>
    </figure>
  );
}

/** Misses at 1 line and wherever they change. */
function curveOf(run: AccessesRun): readonly { readonly lines: number; readonly misses: number }[] {
  const { cold, far, near } = histogramOf(run, undefined);
  let misses = cold + far + near.reduce((sum, [, count]) => sum + count, 0);
  const curve: { lines: number; misses: number }[] = [];
  for (const [distance, count] of near) {
    if (distance > 0 && curve.length === 0) curve.push({ lines: 1, misses });
    misses -= count;
    // A touch at this distance is found from one line more on.
    curve.push({ lines: distance + 1, misses });
  }
  return curve.length === 0 ? [{ lines: 1, misses }] : curve;
}
