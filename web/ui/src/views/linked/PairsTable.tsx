import type { CommonAncestor, LinkedContext, PairInfo } from '@hotframe/engine';
import { changeState, stateOf, withState } from '../../state/address-part.ts';
import { samePath } from '../../state/nodes.ts';
import { useApp } from '../../state/services.ts';
import { pathInShape, type ShapeKind } from '../../state/view-state.ts';
import { shortenName } from '../../text/names.ts';
import {
  formatExact,
  formatInteger,
  formatShare,
  formatThings,
  formatValue,
  shareOf,
} from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { choosePair } from './choosing.ts';
import type { Linked } from './panes.ts';
import { type Chosen, LINKED_PART } from './state.ts';

/** Columns of a name in a cell; the rest is in its tooltip. */
const NAME_COLUMNS = 36;

/** The pairs of contexts that samples join, largest first, with where their paths part. */
export function PairsTable(props: { readonly linked: Linked }) {
  const app = useApp();
  const { panes, ranked, pairs } = props.linked;
  const { value: answer, error, pending } = pairs.value;
  const roles = ranked.value;
  if (roles === undefined) return null;
  const [first, second] = roles.map((role) => panes[role]?.name ?? '') as [string, string];
  const metrics = app.profile.summary.value?.metrics ?? [];
  // Values of formulas do not add up: the metric that stands for one ranks the pairs.
  const metric = answer?.result.metric ?? app.profile.metric.value;
  const unit = metrics[metric] ?? app.profile.metricInfo.value;
  const { shape } = app.view.value;
  const { chosen } = stateOf(app.view.value, LINKED_PART);
  const stride = answer?.result.metrics ?? 0;
  const whole = answer?.columns.program_total[metric] ?? 0n;
  const all = answer?.columns.pairs_total[metric] ?? 0n;
  const others = panes.filter(({ role, path }) => !roles.includes(role) && path.value.length > 0);
  const run = (pair: PairInfo) => {
    // Nodes of the flat shape are not contexts.
    const shown = shape === 'flat' ? 'top_down' : shape;
    const before = shown === shape ? chosen : [];
    const paths = [pair.first.path, pair.second.path] as const;
    const now = { chosen: choosePair(before, roles, paths, shown) };
    app.update({ shape: shown, ...withState(app.view.peek(), LINKED_PART, now) }, 'push');
  };
  return (
    <section class="pairs" aria-label="Pairs" aria-busy={pending}>
      <header class="pane-title">
        <b>Pairs</b>
        <RolesPicker linked={props.linked} />
        {answer !== undefined && (
          <span class="mute number" title={formatExact(all, unit)}>
            {formatThings(answer.result.total_pairs, 'pair')}, {formatValue(all, unit)}
            {others.map(({ name, chosen }) => ` of ${name} in ${chosen.value ?? '…'}`).join()}
          </span>
        )}
        {panes.some((pane) => pane.metric.value !== undefined) && (
          <span class="mute">
            {metric === app.profile.metric.value
              ? `in the metric of the page, ${unit.name}`
              : `by ${unit.name}, which stands for the metric of the page`}
          </span>
        )}
        {pending && <div class="busy" />}
      </header>
      {error !== undefined && error.code !== 'disconnected' && <p class="mute">{error.message}</p>}
      <div class="scroll">
        <table>
          <colgroup>
            <col class="value" />
            <col class="share" />
            <col class="first" />
            <col span={2} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {unit.name}
              </th>
              <th scope="col">{first}</th>
              <th scope="col">{second}</th>
              <th scope="col" title="The innermost function that both paths go through">
                paths diverge at
              </th>
            </tr>
          </thead>
          <tbody>
            {answer?.result.pairs.map((pair, index) => {
              const values = metrics
                .slice(0, stride)
                .map(
                  (info, each) =>
                    `${info.name}: ${formatExact(answer.columns.value[index * stride + each] ?? 0n, info)}`,
                );
              const value = answer.columns.value[index * stride + metric] ?? 0n;
              return (
                <tr
                  key={index}
                  aria-selected={isChosen(pair, roles, chosen, shape)}
                  onClick={() => run(pair)}
                >
                  <td class="number" title={values.join('\n')}>
                    <button
                      type="button"
                      aria-label={`${formatValue(value, unit)}: choose ${shownName(pair.first)} and ${shownName(pair.second)}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        run(pair);
                      }}
                    >
                      {formatValue(value, unit)}
                    </button>
                  </td>
                  <td class="share number">{formatShare(shareOf(value, whole))}</td>
                  <ContextCell context={pair.first} />
                  <ContextCell
                    context={pair.second}
                    beside={pair.first.file}
                    merged={pair.merged}
                  />
                  <AncestorCell ancestor={pair.ancestor ?? undefined} beside={pair.first.file} />
                </tr>
              );
            })}
          </tbody>
        </table>
        {answer?.result.pairs.length === 0 && <p class="mute">No sample joins such a pair.</p>}
        {answer !== undefined && answer.result.total_pairs > answer.result.pairs.length && (
          <p class="mute">
            and {formatInteger(answer.result.total_pairs - answer.result.pairs.length)} more
          </p>
        )}
      </div>
    </section>
  );
}

/** Which roles are ranked; nothing to choose where there are two. */
function RolesPicker(props: { readonly linked: Linked }) {
  const app = useApp();
  const { panes, ranked } = props.linked;
  const [first, second] = ranked.value ?? [0, 0];
  const label = (a: number, b: number) => `${panes[a]?.name} and ${panes[b]?.name}`;
  if (panes.length === 2) return <span>{label(first, second)}</span>;
  return (
    <MenuButton
      label={`Ranked roles: ${label(first, second)}`}
      items={panes.flatMap(({ role: a }) =>
        panes.slice(a + 1).map(({ role: b }) => ({
          label: label(a, b),
          checked: a === first && b === second,
          run: () => changeState(app, LINKED_PART, { ranked: [a, b] }),
        })),
      )}
    >
      {label(first, second)}{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}

function ContextCell(props: {
  readonly context: LinkedContext;
  /** The file of the cell to the left, which is not said again. */
  readonly beside?: string;
  readonly merged?: number;
}) {
  const { file, line } = props.context;
  const name = shownName(props.context);
  const merged = props.merged ?? 1;
  return (
    <td title={`${name}\n${file}${line > 0 ? `:${line}` : ''}`}>
      <div class="at">
        <code>{name === '' ? 'no frame' : shortenName(name, NAME_COLUMNS)}</code>
        <small>{placeOf(file, line > 0 ? `:${line}` : '', props.beside)}</small>
        {merged > 1 && (
          <small
            title={`${formatThings(merged - 1, 'more pair')} of lines; the largest is named. Choose ‘By: line’ to see each.`}
          >
            +{formatInteger(merged - 1)}
          </small>
        )}
      </div>
    </td>
  );
}

function shownName(context: LinkedContext): string {
  return context.label ?? context.name;
}

function AncestorCell(props: {
  readonly ancestor: CommonAncestor | undefined;
  readonly beside: string;
}) {
  if (props.ancestor === undefined) return <td class="mute">nothing in common</td>;
  const { name, file, first_line: first, second_line: second } = props.ancestor;
  const lines = [...new Set([first, second])].filter((line) => line > 0);
  const text = lines.map((line) => `:${line}`).join(' and ');
  return (
    <td title={`${name}\n${file}${text}`}>
      <div class="at">
        <code>{shortenName(name, NAME_COLUMNS)}</code>
        <small>{placeOf(file, text, props.beside)}</small>
      </div>
    </td>
  );
}

/** The file's own name and its lines; the lines alone where the file is known. */
function placeOf(file: string, lines: string, known?: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return (file === known ? '' : name) + lines;
}

function isChosen(
  pair: PairInfo,
  [first, second]: readonly [number, number],
  chosen: Chosen,
  shape: ShapeKind,
): boolean {
  const shown = (path: readonly number[]) => pathInShape(path, 'top_down', shape);
  return (
    shown(pair.first.path).length > 0 &&
    samePath(shown(pair.first.path), chosen[first] ?? []) &&
    samePath(shown(pair.second.path), chosen[second] ?? [])
  );
}
