import type { GraphMatch } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';
import { formatThings } from '../../text/units.ts';

/** Puts an element into the sum, or takes it out. */
export function SumButton({ element }: { readonly element: number }) {
  const { graph } = useApp();
  const isIn = graph.summed.value.includes(element);
  return (
    <button
      type="button"
      class={isIn ? 'plain on' : 'plain'}
      aria-pressed={isIn}
      title="Several elements together (a)"
      onClick={() => graph.toggleSum(element)}
    >
      {isIn ? 'In the sum' : 'Add to a sum'}
    </button>
  );
}

/** What several elements cost together in the whole run. */
export function SumPanel() {
  const { graph } = useApp();
  const { value, error } = graph.sum.value;
  if (graph.summed.value.length === 0) return null;
  if (error !== undefined) {
    return (
      <p class="mute">
        {error.message}{' '}
        <button type="button" class="link" onClick={() => graph.update({ summed: [] }, 'replace')}>
          Clear the sum
        </button>
      </p>
    );
  }
  if (value === undefined) return null;
  const { counted, left_out: leftOut, whole } = value.result;
  const item = (one: GraphMatch) => (
    <li key={one.element}>
      <button type="button" onClick={() => graph.jumpTo(one)}>
        <b>{one.label || one.id}</b>
      </button>
      <button
        type="button"
        aria-label={`Take ${one.label || one.id} out of the sum`}
        onClick={() => graph.toggleSum(one.element)}
      >
        ×
      </button>
    </li>
  );
  return (
    <section class="graph-sum" aria-label="Sum">
      <h3>{formatThings(counted.length, 'element')} together, in the whole run</h3>
      <table class="values graph-costs">
        <tbody>
          {whole.map((cost) => (
            <tr key={cost.name}>
              <th scope="row">{cost.name}</th>
              <td title={costTitle(cost)}>{formatCost(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="graph-neighbours">{counted.map(item)}</ul>
      {leftOut.length > 0 && (
        <>
          <p class="mute">Not added, because others include them, or they have no costs:</p>
          <ul class="graph-neighbours">{leftOut.map(item)}</ul>
        </>
      )}
    </section>
  );
}
