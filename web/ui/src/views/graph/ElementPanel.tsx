import type { GraphCost, GraphElementResult, GraphNeighbour } from '@hotframe/engine';
import { Fragment } from 'preact';
import { KIND_LABELS } from '../../state/graph-view.ts';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost, formatQuantity } from '../../text/quantity.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { KindGlyph } from './KindGlyph.tsx';
import { ScalingPlot } from './ScalingPlot.tsx';
import { SumButton, SumPanel } from './SumPanel.tsx';
import { Totals } from './Totals.tsx';

/** Neighbours in the list at once. */
const MOST_NEIGHBOURS = 40;
/** Data containers in the list at once. */
const MOST_CONTAINERS = 150;

/** All about the selected element; about the program while none is selected. */
export function ElementPanel() {
  const { graph } = useApp();
  const { value, error } = graph.element.value;
  const selection = graph.view.value.selection;
  if (selection !== undefined && error !== undefined && error.code !== 'disconnected')
    return <p class="mute">{error.message}</p>;
  return (
    <>
      <SumPanel />
      {selection === undefined ? (
        <ProgramPanel />
      ) : (
        value !== undefined && <ElementDetails element={selection} result={value.result} />
      )}
    </>
  );
}

function ProgramPanel() {
  const app = useApp();
  const { graph } = app;
  const summary = graph.summary.value;
  if (summary === undefined) return null;
  return (
    <>
      <h2>{summary.name || summary.title}</h2>
      <p class="mute">The whole program. Click a box or an edge for its costs.</p>
      <p>
        <AccessesButton scope="all" />
      </p>
      <Totals />
      {summary.containers.length > 0 && (
        <>
          <h3>Data of the program</h3>
          <ul class="graph-containers">
            {summary.containers
              .slice(0, MOST_CONTAINERS)
              .map(({ name, element_type, shape, transient, kind, storage }) => (
                <li key={name} title={[kind, storage].filter((part) => part !== '').join(', ')}>
                  <button
                    type="button"
                    title={`Find ${name} in the graph`}
                    onClick={() => app.update({ search: `data:${name}` }, 'push')}
                  >
                    <code>{name}</code>
                  </button>
                  <code class="mute">
                    {element_type}
                    {shape.length > 0 && `[${shape.join(', ')}]`}
                    {transient && ' transient'}
                  </code>
                </li>
              ))}
          </ul>
          {summary.containers.length > MOST_CONTAINERS && (
            <p class="mute">
              and {formatInteger(summary.containers.length - MOST_CONTAINERS)} more; search data:
              finds them
            </p>
          )}
        </>
      )}
      {summary.measurements.map(({ title, elements, warnings }) => (
        <Fragment key={title}>
          <h3>Measured in {title}</h3>
          <p class="mute">{formatThings(elements, 'element')} got a value.</p>
          {warnings.map(({ message, count }) => (
            <p key={message} class="mute">
              {message}
              {count > 1 && ` (${count} times)`}
            </p>
          ))}
        </Fragment>
      ))}
    </>
  );
}

function ElementDetails(props: { readonly element: number; readonly result: GraphElementResult }) {
  const { element, result } = props;
  return (
    <>
      <Path result={result} />
      <h2>{result.label || (result.kind === null ? 'Edge' : KIND_LABELS[result.kind])}</h2>
      <p class="graph-what mute">
        <KindGlyph kind={result.kind} /> {result.kind === null ? 'edge' : KIND_LABELS[result.kind]}
        <code title="As DaCe names it">{result.id}</code>
        <SumButton element={element} />
      </p>
      <p>
        <AccessesButton scope={element} />
      </p>
      <Source result={result} />
      <Costs result={result} />
      <Base result={result} />
      <Measured result={result} />
      <ScalingPlot element={element} />
      {result.properties.length > 0 && (
        <>
          <h3>Properties</h3>
          <dl class="meta">
            {result.properties.map(({ name, value }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      {result.code !== null && (
        <>
          <h3>Code in {result.code.language}</h3>
          <pre class="graph-code">{result.code.text}</pre>
        </>
      )}
      <Neighbours
        title={result.kind === null ? 'From' : 'Comes in'}
        neighbours={result.neighbours.filter(({ comes_in }) => comes_in)}
      />
      <Neighbours
        title={result.kind === null ? 'To' : 'Goes out'}
        neighbours={result.neighbours.filter(({ comes_in }) => !comes_in)}
      />
    </>
  );
}

/** The way to single accesses of an element, or of the whole program. */
function AccessesButton({ scope }: { readonly scope: number | 'all' }) {
  const { accesses } = useApp();
  return (
    <button
      type="button"
      class="control"
      title="Every element, cache line and miss of the scope around it (l)"
      onClick={() => accesses.openPart(scope)}
    >
      Look at its accesses
    </button>
  );
}

/** The containers around an element; each is a way there. */
function Path({ result }: { readonly result: GraphElementResult }) {
  const { graph } = useApp();
  if (result.path.length === 0) return null;
  return (
    <nav aria-label="Containers">
      <ol class="crumbs graph-crumbs">
        {result.path.map(({ element, label, kind }, index) => (
          <li key={element}>
            <button
              type="button"
              title={KIND_LABELS[kind]}
              onClick={() =>
                graph.jumpTo({
                  element,
                  path: result.path.slice(0, index).map((one) => one.element),
                })
              }
            >
              {label || KIND_LABELS[kind]}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Source({ result }: { readonly result: GraphElementResult }) {
  const app = useApp();
  const { source } = result;
  if (source === null) return null;
  const text = `${source.file}:${source.line}`;
  return (
    <button
      type="button"
      class="place link"
      title="Open its source (e)"
      onClick={() => app.source.open(source, true)}
    >
      {text}
    </button>
  );
}

/** Costs each time and in the whole run, side by side, with what they depend on. */
function Costs({ result }: { readonly result: GraphElementResult }) {
  const names = [...new Set([...result.each, ...result.whole].map(({ name }) => name))];
  if (names.length === 0) return null;
  const find = (costs: readonly GraphCost[], name: string) =>
    costs.find((cost) => cost.name === name);
  return (
    <>
      <table class="values graph-costs">
        <thead>
          <tr>
            <td />
            <th scope="col">each time</th>
            <th scope="col">whole run</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const [each, whole] = [find(result.each, name), find(result.whole, name)];
            return (
              <Fragment key={name}>
                <tr>
                  <th scope="row">{name}</th>
                  <CostCell cost={each} />
                  <CostCell cost={whole} />
                </tr>
                <Expression cost={whole ?? each} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
      <p class="mute number" title={result.times.expression}>
        Reached{' '}
        {result.times.value === null
          ? `${result.times.expression} times`
          : formatThings(result.times.value, 'time')}{' '}
        in a run
        {result.times.note !== '' && `; ${result.times.note}`}
      </p>
    </>
  );
}

function CostCell({ cost }: { readonly cost: GraphCost | undefined }) {
  if (cost === undefined) return <td class="zero">–</td>;
  const isNothing = cost.value === null || cost.value === 0;
  return (
    <td class={isNothing ? 'zero' : ''} title={costTitle(cost)}>
      {formatCost(cost)}
    </td>
  );
}

/** What a cost is in terms of symbols, and what is to be known of it. */
function Expression({ cost }: { readonly cost: GraphCost | undefined }) {
  if (cost === undefined || (cost.expression === '' && cost.note === '')) return null;
  const said = cost.expression === cost.exact ? '' : cost.expression;
  if (said === '' && cost.note === '') return null;
  return (
    <tr class="expression">
      <td colSpan={3}>
        {said !== '' && <code title={said}>{said}</code>}
        {cost.note !== '' && <em>{cost.note}</em>}
      </td>
    </tr>
  );
}

function Base({ result }: { readonly result: GraphElementResult }) {
  const { graph } = useApp();
  if (graph.view.value.against === undefined) return null;
  if (result.base.length === 0) return <p class="mute">The other graph has no such element.</p>;
  return <CostList title="In the other graph" costs={result.base} />;
}

function Measured({ result }: { readonly result: GraphElementResult }) {
  return result.measured.length === 0 ? null : (
    <CostList title="Measured" costs={result.measured} />
  );
}

function CostList(props: { readonly title: string; readonly costs: readonly GraphCost[] }) {
  return (
    <>
      <h3>{props.title}</h3>
      <table class="values graph-costs">
        <tbody>
          {props.costs.map((cost) => (
            <tr key={cost.name} title={cost.note || cost.expression}>
              <th scope="row">{cost.name}</th>
              <CostCell cost={cost} />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Neighbours(props: {
  readonly title: string;
  readonly neighbours: readonly GraphNeighbour[];
}) {
  const app = useApp();
  const { graph } = app;
  const { neighbours } = props;
  if (neighbours.length === 0) return null;
  const around = graph.element.value.value?.result.path.map(({ element }) => element) ?? [];
  return (
    <>
      <h3>{props.title}</h3>
      <ul class="graph-neighbours">
        {neighbours.slice(0, MOST_NEIGHBOURS).map(({ edge, other, label, data, movement }) => (
          <li key={`${edge}-${other}`}>
            <button type="button" onClick={() => graph.jumpTo({ element: other, path: around })}>
              <b>{label}</b>
            </button>
            <button
              type="button"
              class="mute"
              title="Select the edge"
              onClick={() => graph.jumpTo({ element: edge, path: around })}
            >
              {data !== '' && <code>{data}</code>}
              {movement?.value != null && (
                <span class="number" title={movement.expression}>
                  {formatQuantity(movement.value, movement.unit)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {neighbours.length > MOST_NEIGHBOURS && (
        <p class="mute">
          and {formatThings(neighbours.length - MOST_NEIGHBOURS, 'more neighbour')}
        </p>
      )}
    </>
  );
}
