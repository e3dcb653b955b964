import type { GraphCost } from '@hotframe/engine';
import { exampleSizes } from '../../state/graph-view.ts';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';

/** Longer formulas are in the tooltip alone. */
const LONGEST_FORMULA = 60;
/** Sizes that a note names. */
const MOST_NAMED = 4;

/** Costs of the whole program with the shown values of symbols; formulas where these are examples. */
export function Totals() {
  const { graph } = useApp();
  const totals = graph.scene.value?.overlay?.result.totals ?? [];
  const examples = useExamples();
  if (totals.length === 0) return null;
  const depends = ({ expression }: GraphCost) => {
    const words = new Set(expression.match(/\w+/g));
    return examples.some(({ name }) => words.has(name));
  };
  return (
    <>
      <ExampleNote />
      <table class="values graph-costs" aria-label="Totals">
        <tbody>
          {totals.map((cost) => (
            <tr key={cost.name}>
              <th scope="row">{cost.name}</th>
              <td class={cost.value === null ? 'zero' : ''} title={costTitle(cost)}>
                {depends(cost) ? <Formula cost={cost} /> : formatCost(cost)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Formula({ cost }: { readonly cost: GraphCost }) {
  const { expression } = cost;
  return (
    <>
      {expression.length <= LONGEST_FORMULA && `${expression} `}
      <span class="mute">e.g. {formatCost(cost)}</span>
    </>
  );
}

/** Says that figures are examples, as long as sizes are not set. */
export function ExampleNote() {
  const examples = useExamples();
  if (examples.length === 0) return null;
  const shown = examples.slice(0, MOST_NAMED).map(({ name, value }) => `${name} = ${value}`);
  const more = examples.length - shown.length;
  return (
    <p class="mute" role="note">
      Sizes are not set. Numbers and colours are an example, for {shown.join(', ')}
      {more > 0 && ` and ${more} more`}.
    </p>
  );
}

function useExamples() {
  const { graph } = useApp();
  const summary = graph.summary.value;
  return summary === undefined ? [] : exampleSizes(summary, graph.view.value.symbols);
}
