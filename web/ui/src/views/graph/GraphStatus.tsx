import { exampleSizes } from '../../state/graph-view.ts';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';
import { formatInteger, formatSeconds, formatThings } from '../../text/units.ts';

/** How large the graph is, what is left out of the drawing, and what is assumed. */
export function GraphStatus() {
  const app = useApp();
  const { graph } = app;
  const summary = graph.summary.value;
  if (summary === undefined) return <footer class="status" />;
  const scene = graph.scene.value;
  const drawn = scene?.drawing;
  const unset = scene?.overlay?.result.unset ?? [];
  const unknowns = summary.symbols.filter(({ unknown }) => unknown !== '').length;
  const movement = scene?.overlay?.result.totals.find(({ name }) => name === 'movement');
  const warnings = summary.warnings.length;
  const examples = exampleSizes(summary, graph.view.value.symbols);
  return (
    <footer class="status">
      <span>{formatThings(summary.nodes, 'node')}</span>
      <span class="wide-only">{formatThings(summary.edges, 'edge')}</span>
      <span class="wide-only">{formatThings(summary.states, 'state')}</span>
      {drawn !== undefined && (
        <span class="wide-only" title="Boxes and edges in the drawing">
          {formatInteger(drawn.count)} boxes drawn
          {drawn.result.hidden > 0 && `, ${formatInteger(drawn.result.hidden)} hidden`}
          {drawn.result.lost_edges > 0 &&
            `, ${formatThings(drawn.result.lost_edges, 'edge')} not drawn on`}
        </span>
      )}
      {movement?.value != null && examples.length === 0 && (
        <span class="wide-only" title={costTitle(movement)}>
          moves {formatCost(movement)}
        </span>
      )}
      {examples.length > 0 && (
        <button
          type="button"
          title="Numbers and colours are an example until sizes are set"
          onClick={() => {
            graph.panel.value = 'symbols';
            app.detailsOpen.value = true;
          }}
        >
          sizes not set
        </button>
      )}
      {unset.length > 0 && (
        <button
          type="button"
          onClick={() => {
            graph.panel.value = 'symbols';
            app.detailsOpen.value = true;
          }}
        >
          no value for {unset.slice(0, 4).join(', ')}
          {unset.length > 4 && ` and ${unset.length - 4} more`}
        </button>
      )}
      {unknowns > 0 && (
        <button
          type="button"
          title="Values that data decides are assumed"
          onClick={() => {
            graph.panel.value = 'symbols';
            app.detailsOpen.value = true;
          }}
        >
          {formatThings(unknowns, 'value')} assumed
        </button>
      )}
      <span class="grow" />
      {summary.dace_version !== '' && <span class="wide-only">DaCe {summary.dace_version}</span>}
      {summary.opened_s !== null && (
        <span class="wide-only">opened in {formatSeconds(summary.opened_s)}</span>
      )}
      {warnings > 0 && (
        <button
          type="button"
          onClick={() => {
            app.overlay.value = 'warnings';
          }}
        >
          {formatThings(warnings, 'warning')}
        </button>
      )}
    </footer>
  );
}
