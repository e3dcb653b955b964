import type { GraphFusion } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';
import { formatThings } from '../../text/units.ts';
import { useGraphAnswer } from './answer.ts';

const MOST_PAIRS = 100;

/** Which neighbouring maps are worth fusing, what saves most first. */
export function FusionPanel() {
  const app = useApp();
  const { value, error } = useGraphAnswer(
    (at) => ({ ...at, limit: MOST_PAIRS }),
    (params) => app.engine.call('graph_fusions', params),
  );
  const fusions = value?.result.fusions ?? [];
  const able = fusions.filter(({ obstacle }) => obstacle === '');
  const unable = fusions.filter(({ obstacle }) => obstacle !== '');
  const leftOut = value?.result.left_out ?? 0;
  return (
    <>
      <h2>Fusions</h2>
      {error !== undefined && <p class="mute">{error.message}</p>}
      {value !== undefined && (
        <p class="mute">
          Neighbouring maps that could be fused, by the bytes of accesses that this saves in the
          whole run.
        </p>
      )}
      {value !== undefined && able.length === 0 && <p>No two neighbouring maps can be fused.</p>}
      <Pairs pairs={able} />
      {unable.length > 0 && (
        <>
          <h3>Not as they are</h3>
          <Pairs pairs={unable} />
        </>
      )}
      {leftOut > 0 && <p class="mute">and {formatThings(leftOut, 'further pair')}</p>}
    </>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly GraphFusion[] }) {
  const { graph } = useApp();
  if (pairs.length === 0) return null;
  return (
    <ol class="graph-neighbours graph-fusions">
      {pairs.map(({ first, second, between, obstacle, saved }) => (
        <li key={`${first.element} ${second.element}`}>
          <span class="number" title={costTitle(saved)}>
            <b>{formatCost(saved)}</b>
            {saved.name !== 'saved' && ' each time'}
          </span>
          <span>
            <button type="button" onClick={() => graph.jumpTo(first)}>
              <b>{first.label}</b>
            </button>{' '}
            <span aria-hidden="true">→</span>{' '}
            <button type="button" onClick={() => graph.jumpTo(second)}>
              <b>{second.label}</b>
            </button>
          </span>
          <span class="mute">
            by way of{' '}
            {between
              .map(({ name, is_private: only }) => `${name}${only ? '' : ' (still written)'}`)
              .join(', ')}
            {obstacle !== '' && `; ${obstacle}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
