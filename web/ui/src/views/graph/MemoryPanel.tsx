import type { ContainerMemory, GraphMemoryResult } from '@hotframe/engine';
import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { settingsOf } from '../../state/graph-view.ts';
import { steadyResource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';
import { formatThings } from '../../text/units.ts';

const SIZE = { width: 300, height: 110 };

/** How much memory is alive along the states, and when containers are. */
export function MemoryPanel() {
  const app = useApp();
  const { engine, graph, documents } = app;
  const memory = useMemo(() => {
    const input = computed(() => {
      const summary = graph.summary.value;
      const document = documents.shown.value;
      return summary === undefined || document === undefined
        ? undefined
        : { document, symbols: settingsOf(summary, graph.rested.value.symbols) };
    });
    return steadyResource(input, (params) => engine.call('graph_memory', params));
  }, []);
  useEffect(() => () => memory.dispose(), []);
  const { value, error } = memory.state.value;
  if (error !== undefined) return <p class="mute">{error.message}</p>;
  if (value === undefined) return <h2>Memory</h2>;
  const { peak, states, states_left_out: leftOut, containers } = value.result;
  const size = ({ bytes }: ContainerMemory) => bytes.value ?? Number.POSITIVE_INFINITY;
  const sorted = containers.toSorted((a, b) => size(b) - size(a));
  return (
    <>
      <h2>Memory</h2>
      {peak === null ? (
        <p class="mute">The peak is not known at these sizes.</p>
      ) : (
        <p>
          Peak{' '}
          <b class="number" title={costTitle(peak.alive)}>
            {formatCost(peak.alive)}
          </b>{' '}
          in{' '}
          <button
            type="button"
            class="link"
            onClick={() => graph.jumpTo({ element: peak.element, path: [] })}
          >
            {peak.label}
          </button>
          {peak.iteration.value !== null && peak.iteration.value > 0 && (
            <span class="mute" title={costTitle(peak.iteration)}>
              , and {formatCost(peak.iteration)} for each iteration
            </span>
          )}
        </p>
      )}
      {states.length > 1 && <Along result={value.result} />}
      {leftOut > 0 && <p class="mute">{formatThings(leftOut, 'later state')} not drawn</p>}
      <ul class="graph-neighbours graph-lifetimes">
        {sorted.map((one) => (
          <li key={one.name}>
            <button
              type="button"
              onClick={() => app.update({ search: `data:${one.name}` }, 'push')}
            >
              <b>{one.name}</b>
            </button>
            <span class="number" title={costTitle(one.bytes)}>
              {formatCost(one.bytes)}
            </span>
            <span class="mute">{one.alive}</span>
            {states.length > 1 && <Lifetime of={one} count={states.length} />}
          </li>
        ))}
      </ul>
      <p class="mute">
        Transients are alive from their first use to their last; what views, references and inner
        graphs share counts once.
      </p>
    </>
  );
}

/** A bar a state, as high as what is alive in it. */
function Along({ result }: { readonly result: GraphMemoryResult }) {
  const { graph } = useApp();
  const { states, peak } = result;
  const { width, height } = SIZE;
  const most = Math.max(...states.map(({ alive }) => alive.value ?? 0));
  if (most <= 0) return null;
  const step = width / states.length;
  return (
    <svg
      class="plot graph-alive"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Bytes alive by state"
    >
      {states.map(({ element, label, alive }, index) => {
        const high = ((alive.value ?? 0) / most) * (height - 4);
        const isPeak = element === peak?.element;
        return (
          <rect
            key={element}
            class={isPeak ? 'peak' : ''}
            x={index * step}
            y={height - high}
            width={Math.max(0.5, step - (step > 4 ? 1 : 0))}
            height={high}
            onClick={() => graph.jumpTo({ element, path: [] })}
          >
            <title>{`${label}${isPeak ? ', peak' : ''}\n${formatCost(alive)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** From which state to which a container is alive. */
function Lifetime({ of, count }: { readonly of: ContainerMemory; readonly count: number }) {
  if (of.alive === 'unused') return null;
  const from = of.first ?? 0;
  const to = of.last ?? count - 1;
  return (
    <span class="lifetime" aria-hidden="true">
      <i style={{ left: `${(from / count) * 100}%`, right: `${(1 - (to + 1) / count) * 100}%` }} />
    </span>
  );
}
