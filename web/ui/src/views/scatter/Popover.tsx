import type { ScatterOf } from '@hotframe/engine';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useApp } from '../../state/services.ts';
import { boundedName, shortenPath } from '../../text/names.ts';
import { formatExact, formatInteger, formatShare, formatValue, shareOf } from '../../text/units.ts';
import { changeWord } from '../comparison/ChangeValues.tsx';
import { Estimate } from '../estimates/Estimate.tsx';
import type { Place } from '../charts/shapes.ts';
import { type Mark, recursionOf, type ScatterScene, unitOf } from './marks.ts';
import { formatMean } from './picture.ts';

/** Letters of a file's path. */
const MOST_OF_PATH = 120;

/** The figures of a function, beside its mark. */
export function Popover(props: {
  readonly scene: ScatterScene;
  readonly mark: Mark;
  /** The middle of the mark on the screen, and its radius. */
  readonly at: Place;
  readonly radius: number;
}) {
  const { scene, mark, at, radius } = props;
  const app = useApp();
  const unit = unitOf(app, scene);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const [right, left] = [at[0] + radius + 12, at[0] - radius - 12 - width];
    const x = right + width <= innerWidth - 8 ? right : left;
    tip.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(8, Math.min(at[1] - height / 2, innerHeight - height - 8))}px`;
  });
  const { info, calls, primitive } = mark;
  const recursion = recursionOf(mark);
  const value = (label: string, amount: bigint) => (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <b title={formatExact(amount, unit)}>{formatValue(amount, unit)}</b>
      </td>
      <td>{formatShare(shareOf(amount, scene.whole))}</td>
    </tr>
  );
  const place = [info.file, info.module].filter((part) => part !== '');
  return (
    <div ref={element} class="tooltip" role="tooltip">
      <h2>{boundedName(info.label ?? info.name)}</h2>
      <p>{place.map((part) => shortenPath(part, MOST_OF_PATH)).join(' · ')}</p>
      {info.tag !== null && <p class="change">{changeWord(info.tag)}</p>}
      <table>
        <tbody>
          {value('total', mark.total)}
          {value('self', mark.self)}
          <tr>
            <th scope="row">calls</th>
            <td>
              <b>{formatInteger(Number(calls))}</b>
            </td>
            <td />
          </tr>
          <tr>
            <th scope="row">primitive calls</th>
            <td>
              <b>{primitive === undefined ? 'not known' : formatInteger(Number(primitive))}</b>
            </td>
            <td>{recursion !== undefined && `${formatShare(recursion)} recursive`}</td>
          </tr>
          <tr>
            <th scope="row">{meanLabel(scene.of)}</th>
            <td>
              <b>{mark.zone === 'no_calls' ? 'no calls' : formatMean(mark.mean, unit)}</b>
            </td>
            <td />
          </tr>
        </tbody>
      </table>
      <Estimate of={info.key} />
    </div>
  );
}

export function meanLabel(of: ScatterOf): string {
  return of === 'own_value' ? 'self a call' : 'total a primitive call';
}
