import type { AccessTotals } from '@hotframe/engine';
import { plainLines } from '../../state/accesses.ts';
import { cacheText } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatBytes, formatInteger, formatThings } from '../../text/units.ts';
import { labelsOf } from './containers.ts';
import { DistanceHistogram } from './DistanceHistogram.tsx';
import { evictionPairs } from './elements.ts';
import { histogramOf, missesOf, totalsOf } from './histogram.ts';
import { MissCurve } from './MissCurve.tsx';
import { useTold } from './told.ts';
import { allText, rangeText, rulesText, runText } from './words.ts';

/** Places in the list at once. */
const MOST_PLACES = 60;

/** What all accesses do: by level, container and place, by distance, and over sizes of the cache. */
export function NumbersPanel() {
  const { accesses } = useApp();
  const told = useTold();
  const view = accesses.view.value;
  if (told === undefined) {
    const hasFailed = (accesses.sizes.value.error ?? accesses.run.value.error) !== undefined;
    return <p class="mute">{hasFailed ? 'There are no numbers: the picture says why.' : '…'}</p>;
  }
  const { run } = told;
  const { result } = run;
  const isRecorded = accesses.isRecorded.value;
  const ranged = rangeText(run, view.range, isRecorded);
  const lines = plainLines(view);
  const all = histogramOf(run, undefined);
  const rules = rulesText(view);
  const { changes } = run.program;
  const cache =
    lines === undefined
      ? `${result.levels.map(cacheText).join(', ')}${rules === '' ? '' : ` (${rules})`}`
      : `${formatThings(lines, 'line')} of ${run.program.line} bytes, fully associative`;
  const totals = totalsOf(run, undefined, lines);
  return (
    <>
      <h2>{accesses.sizes.value.value?.part ?? ''}</h2>
      <p class="mute">
        {isRecorded
          ? 'As it was recorded'
          : changes.length > 0
            ? changes.join('; ')
            : view.changes.length > 0
              ? 'Before all changes'
              : 'As it is'}
        . Cache: {cache}. {result.left_out.length > 0 ? 'At least' : 'Exact'}.{' '}
        {isRecorded
          ? 'In the order and at the addresses of the recording, as if by one thread.'
          : runText(run.program)}
      </p>
      {ranged !== undefined && (
        <p class="mute" role="note">
          Everything here is of {allText(isRecorded)}; elements tell {ranged} alone.
        </p>
      )}
      <table class="values graph-costs">
        <tbody>
          <Line name="accesses" value={formatInteger(totals.accesses)} />
          <Line name="lines touched" value={formatInteger(totals.lines)} />
          <Line name="cold misses" value={formatInteger(totals.cold)} />
          <Line name="capacity misses" value={formatInteger(totals.capacity)} />
          {lines === undefined && (
            <Line name="conflict misses" value={formatInteger(totals.conflict)} />
          )}
          <Line name="moved" value={formatBytes(totals.bytes)} />
        </tbody>
      </table>
      <h3>By container</h3>
      <Sums
        rows={labelsOf(run).map((name, number) => ({
          name,
          totals: totalsOf(run, number, lines),
        }))}
      />
      {lines === undefined && result.levels.length > 0 && (
        <>
          <h3>By level</h3>
          <Sums
            rows={result.levels.map((level, number) => ({
              name: `L${number + 1} ${cacheText(level)}`,
              totals: level.totals,
            }))}
          />
        </>
      )}
      <h3>By distance</h3>
      <DistanceHistogram bars={all} lines={lines} />
      <h3>Misses over the size of the cache</h3>
      <MissCurve run={run} lines={lines ?? result.levels[0]!.size / run.program.line} />
      <Places />
      <Evictions />
      {(result.notes.length > 0 || result.left_out.length > 0) && (
        <>
          <h3>What was taken for granted</h3>
          <ul class="accesses-notes mute">
            {result.notes.map((note, index) => (
              <li key={index}>{note}</li>
            ))}
            {result.left_out.map(({ what, why }, index) => (
              <li key={result.notes.length + index}>
                left out: {what}: {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Line(props: { readonly name: string; readonly value: string }) {
  return (
    <tr>
      <th scope="row">{props.name}</th>
      <td>{props.value}</td>
    </tr>
  );
}

/** A table of sums. */
export function Sums(props: {
  readonly rows: readonly { readonly name: string; readonly totals: AccessTotals }[];
}) {
  return (
    <table class="values graph-costs accesses-sums">
      <thead>
        <tr>
          <td />
          <th scope="col">accesses</th>
          <th scope="col">misses</th>
          <th scope="col">moved</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ name, totals }, index) => {
          return (
            <tr
              key={name + index}
              title={`${formatInteger(totals.cold)} cold, ${formatInteger(totals.capacity)} capacity, ${formatInteger(totals.conflict)} conflict`}
            >
              <th scope="row">{name}</th>
              <td>{formatInteger(totals.accesses)}</td>
              <td>{formatInteger(missesOf(totals))}</td>
              <td>{formatBytes(totals.bytes)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** By edge or statement, what its own accesses miss. */
function Places() {
  const app = useApp();
  const { accesses } = app;
  const result = accesses.run.value.value?.result;
  if (result === undefined) return null;
  const rows = new Map<string, { edge: number | null; misses: number; bytes: number }>();
  for (const { origin, edge, totals } of result.references) {
    const row = rows.get(origin) ?? { edge, misses: 0, bytes: 0 };
    row.misses += missesOf(totals);
    row.bytes += totals.bytes;
    rows.set(origin, row);
  }
  const sorted = [...rows].sort(([, a], [, b]) => b.misses - a.misses);
  return (
    <>
      <h3>By place, with the misses of its own accesses</h3>
      <table class="values graph-costs accesses-sums">
        <tbody>
          {sorted.slice(0, MOST_PLACES).map(([origin, row]) => (
            <tr key={origin}>
              <th scope="row">
                {row.edge === null ? (
                  origin
                ) : (
                  <button
                    type="button"
                    class="link"
                    title="Show this edge in the graph"
                    onClick={() => {
                      app.graph.select(row.edge ?? undefined);
                      accesses.openPart(undefined);
                    }}
                  >
                    {origin}
                  </button>
                )}
              </th>
              <td>{formatInteger(row.misses)}</td>
              <td>{formatBytes(row.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > MOST_PLACES && (
        <p class="mute">and {formatInteger(sorted.length - MOST_PLACES)} more</p>
      )}
    </>
  );
}

/** Who drove out lines of whom. */
function Evictions() {
  const { accesses } = useApp();
  const run = accesses.run.value.value;
  if (run === undefined) return null;
  const lines = plainLines(accesses.view.value);
  const { references, evictions } = run.result;
  const labels = labelsOf(run);
  const sums = new Map<string, { by: string; of: string; lines: number }>();
  for (const { level, by, of, lines: driven } of evictions) {
    if (level !== 0) continue;
    const names = [by, of].map((one) => labels[references[one]!.container]!);
    const key = names.join('\n');
    const pair = sums.get(key) ?? { by: names[0]!, of: names[1]!, lines: 0 };
    pair.lines += driven;
    sums.set(key, pair);
  }
  const pairs =
    lines !== undefined && run.result.has_each
      ? evictionPairs(run, lines)
      : [...sums.values()].sort((a, b) => b.lines - a.lines);
  if (pairs.length === 0) return null;
  return (
    <>
      <h3>Evictions: which container evicts which, in lines of the first level</h3>
      <table class="values graph-costs">
        <tbody>
          {pairs.map(({ by, of, lines: driven }) => (
            <tr key={`${by} ${of}`}>
              <th scope="row">
                {by} evicts {of}
              </th>
              <td>{formatInteger(driven)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
