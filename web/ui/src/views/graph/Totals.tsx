import type { GraphCost } from '@hotframe/engine';
import { exampleSizes } from '../../state/graph-view.ts';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';

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
            <Total key={cost.name} cost={cost} isExample={depends(cost)} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Total({ cost, isExample }: { readonly cost: GraphCost; readonly isExample: boolean }) {
  const { name, expression } = cost;
  return (
    <>
      <tr>
        <th scope="row">{name}</th>
        <td class={cost.value === null || isExample ? 'zero' : ''} title={costTitle(cost)}>
          {isExample ? `e.g. ${formatCost(cost)}` : formatCost(cost)}
        </td>
      </tr>
      {isExample && (
        <tr class="expression">
          <td colSpan={2}>
            <code title={expression}>{expression}</code>
          </td>
        </tr>
      )}
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

/** Sizes that nobody set. */
export function useExamples() {
  const { graph } = useApp();
  const summary = graph.summary.value;
  return summary === undefined ? [] : exampleSizes(summary, graph.view.value.symbols);
}
