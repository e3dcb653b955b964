import type { ComparedCost, GraphCompareResult, GraphMatch } from '@hotframe/engine';
import { computed } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { isGraphFile } from '../../state/graph.ts';
import { settingsOf } from '../../state/graph-view.ts';
import { steadyResource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { formatDifference, formatQuantity } from '../../text/quantity.ts';
import { formatInteger, formatShare, formatThings } from '../../text/units.ts';
import { KindGlyph } from './KindGlyph.tsx';

/** Rows of each list at once. */
const MOST_ROWS = 60;

/** Larger changes read better as a factor than as a share. */
const MANY = 10;

/** What differs from another graph: totals, data containers, elements. */
export function ComparePanel() {
  const app = useApp();
  const { engine, graph } = app;
  const compared = useMemo(() => {
    const input = computed(() => {
      const summary = graph.summary.value;
      const document = graph.spec.value?.document;
      const base = graph.view.value.against;
      return summary === undefined || document === undefined || base === undefined
        ? undefined
        : { document, base, symbols: settingsOf(summary, graph.rested.value.symbols) };
    });
    return steadyResource(input, (params) => engine.call('graph_compare', params));
  }, []);
  useEffect(() => () => compared.dispose(), []);
  const shown = graph.spec.value?.document;
  const others = (app.documents.list.value ?? []).filter(
    ({ document, title, state }) =>
      document !== shown && state.kind !== 'failed' && isGraphFile(title),
  );
  const against = graph.view.value.against;
  const { value, error } = compared.state.value;
  return (
    <>
      <h2>Compare</h2>
      {others.length === 0 ? (
        <p class="mute">Open another graph, such as the one before a transformation.</p>
      ) : (
        <select
          class="control"
          aria-label="The graph before"
          value={against ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            graph.update({ against: chosen === '' ? undefined : Number(chosen) }, 'push');
          }}
        >
          <option value="">with nothing</option>
          {others.map(({ document, title }) => (
            <option key={document} value={document}>
              with {title}
            </option>
          ))}
        </select>
      )}
      {against !== undefined && error !== undefined && <p class="mute">{error.message}</p>}
      {against !== undefined && value !== undefined && <Compared result={value.result} />}
    </>
  );
}

function Compared({ result }: { readonly result: GraphCompareResult }) {
  const { changed, added, removed, containers } = result;
  return (
    <>
      <p class="mute">
        Colours and values in the picture are differences: this graph less the other one.
      </p>
      <Costs title="Totals" costs={result.totals} />
      {result.totals.some(isUnset) && (
        <p class="mute">
          ? depends on sizes that this graph does not have, so they cannot be set here.
        </p>
      )}
      <Costs title="Data, by what moves" costs={containers.slice(0, MOST_ROWS)} />
      <h3>Elements</h3>
      <p class="mute">
        {formatThings(result.matched, 'element')} in both, {formatInteger(result.changed_count)} of
        which differ; {formatInteger(result.added_count)} new, {formatInteger(result.removed_count)}{' '}
        gone
      </p>
      <List
        title="Differ"
        matches={changed.map(({ new: match }) => match)}
        count={result.changed_count}
      >
        {(index) => {
          const cost = changed[index]?.costs[0];
          return cost === undefined ? null : (
            <span class="number mute" title={cost.name}>
              {changeOf(cost)}
            </span>
          );
        }}
      </List>
      <List title="New" matches={added} count={result.added_count} />
      <List title="Gone" matches={removed} count={result.removed_count} gone />
    </>
  );
}

/** The graph before has no value, though it has the cost. */
function isUnset({ base, base_expression }: ComparedCost): boolean {
  return base === null && base_expression !== '';
}

function Costs(props: { readonly title: string; readonly costs: readonly ComparedCost[] }) {
  if (props.costs.length === 0) return null;
  return (
    <>
      <h3>{props.title}</h3>
      <table class="values graph-costs changes">
        <thead>
          <tr>
            <td />
            <th scope="col">before</th>
            <th scope="col">now</th>
            <th scope="col">change</th>
          </tr>
        </thead>
        <tbody>
          {props.costs.map((cost) => (
            <tr
              key={cost.name}
              title={`${cost.base_expression || '–'} → ${cost.new_expression || '–'}`}
            >
              <th scope="row">{cost.name}</th>
              <td>{sideOf(cost.base, cost.base_expression, cost.unit)}</td>
              <td>{sideOf(cost.new, cost.new_expression, cost.unit)}</td>
              <td class="share">{changeOf(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** One side of a cost; what only one graph has is not there, what depends on more is not known. */
function sideOf(value: number | null, expression: string, unit: string): string {
  if (value !== null) return formatQuantity(value, unit);
  return expression === '' ? '–' : '?';
}

function changeOf(cost: ComparedCost): string {
  const { base, new: now, unit } = cost;
  const isUnknown = (value: number | null, expression: string) =>
    value === null && expression !== '';
  if (isUnknown(base, cost.base_expression) || isUnknown(now, cost.new_expression)) {
    return cost.base_expression === cost.new_expression ? '=' : '?';
  }
  const difference = (now ?? 0) - (base ?? 0);
  if (difference === 0) return '=';
  if (base === null || base === 0) return formatDifference(difference, unit);
  const times = (now ?? 0) / base;
  if (times >= MANY) return `×${formatQuantity(times, '')}`;
  const share = formatShare(difference / base);
  return difference > 0 ? `+${share}` : share;
}

function List(props: {
  readonly title: string;
  readonly matches: readonly GraphMatch[];
  /** How many there are, with those that the engine did not list. */
  readonly count: number;
  /** They are not in the picture. */
  readonly gone?: boolean;
  readonly children?: (index: number) => ComponentChildren;
}) {
  const { graph } = useApp();
  const { matches } = props;
  if (matches.length === 0) return null;
  return (
    <Fragment>
      <h3>{props.title}</h3>
      <ul class="graph-neighbours">
        {matches.slice(0, MOST_ROWS).map((match, index) => (
          <li key={match.id}>
            <button
              type="button"
              disabled={props.gone === true}
              title={match.id}
              onClick={() => graph.jumpTo(match)}
            >
              <KindGlyph kind={match.kind} /> <b>{match.label || match.id}</b>
            </button>
            {props.children?.(index)}
          </li>
        ))}
      </ul>
      {props.count > MOST_ROWS && (
        <p class="mute">and {formatInteger(props.count - MOST_ROWS)} more</p>
      )}
    </Fragment>
  );
}
