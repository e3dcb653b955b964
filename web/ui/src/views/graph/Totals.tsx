import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';

/** Costs of the whole program with the shown values of symbols. */
export function Totals() {
  const { graph } = useApp();
  const totals = graph.scene.value?.overlay?.result.totals ?? [];
  if (totals.length === 0) return null;
  return (
    <table class="values graph-costs" aria-label="Totals">
      <tbody>
        {totals.map((cost) => (
          <tr key={cost.name}>
            <th scope="row">{cost.name}</th>
            <td class={cost.value === null ? 'zero' : ''} title={costTitle(cost)}>
              {formatCost(cost)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
