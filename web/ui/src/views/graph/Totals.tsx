import { useApp } from '../../state/services.ts';
import { formatAllDigits, formatQuantity } from '../../text/quantity.ts';

/** Costs of the whole program with the shown values of symbols. */
export function Totals() {
  const { graph } = useApp();
  const totals = graph.scene.value?.overlay?.result.totals ?? [];
  if (totals.length === 0) return null;
  return (
    <table class="values graph-costs" aria-label="Totals">
      <tbody>
        {totals.map((cost) => (
          <tr key={cost.name} title={[cost.expression, cost.note].filter(Boolean).join('\n')}>
            <th scope="row">{cost.name}</th>
            <td
              class={cost.value === null ? 'zero' : ''}
              title={
                cost.value === null
                  ? cost.note || 'a symbol is not set'
                  : `${formatAllDigits(cost.value, cost.exact, cost.unit)}\n${cost.expression}`
              }
            >
              {cost.value === null ? '?' : formatQuantity(cost.value, cost.unit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
