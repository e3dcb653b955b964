import type { ContainerMemory, GraphMemoryResult } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { costTitle, formatCost } from '../../text/quantity.ts';
import { formatThings } from '../../text/units.ts';
import { useGraphAnswer } from './answer.ts';

const SIZE = { width: 300, height: 110 };

/** How much memory is alive along the states, and when containers are. */
export function MemoryPanel() {
  const app = useApp();
  const { graph } = app;
  const { value, error } = useGraphAnswer(
    (at) => at,
    (params) => app.engine.call('graph_memory', params),
  );
  if (error !== undefined) return <p class="mute">{error.message}</p>;
  if (value === undefined) return <h2>Memory</h2>;
  const { peak, states, states_left_out: leftOut, containers, containers_left_out } = value.result;
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
        {containers.map((one) => (
          <li key={`${one.graph} ${one.name}`}>
            <button
              type="button"
              onClick={() => app.update({ search: `data:${one.name}` }, 'push')}
            >
              <b>{one.name}</b>
              {one.graph !== '' && <span class="mute"> in {one.graph}</span>}
            </button>
            <span class="number" title={costTitle(one.bytes)}>
              {formatCost(one.bytes)}
            </span>
            <span class="mute">{one.alive}</span>
            {states.length > 1 && <Lifetime of={one} count={states.length} />}
          </li>
        ))}
      </ul>
      {containers_left_out > 0 && (
        <p class="mute">and {formatThings(containers_left_out, 'smaller container')}</p>
      )}
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
  // What does not run is drawn up to the frame, and not what others are measured by.
  const most = Math.max(
    ...states.filter((one) => one.may_run).map(({ alive }) => alive.value ?? 0),
  );
  if (most <= 0) return null;
  const step = width / states.length;
  return (
    <svg
      class="plot graph-alive"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Bytes alive by state"
    >
      {states.map(({ element, label, alive, may_run: mayRun }, index) => {
        const high = Math.min(1, (alive.value ?? 0) / most) * (height - 4);
        const isPeak = element === peak?.element;
        const notes = [isPeak && 'peak', !mayRun && 'does not run at these sizes'];
        return (
          <rect
            key={element}
            class={isPeak ? 'peak' : mayRun ? '' : 'idle'}
            x={index * step}
            y={height - high}
            width={Math.max(0.5, step - (step > 4 ? 1 : 0))}
            height={high}
            onClick={() => graph.jumpTo({ element, path: [] })}
          >
            <title>
              {[label, ...notes].filter(Boolean).join(', ')}
              {`\n${formatCost(alive)}`}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

/** From which state to which a container is alive. */
function Lifetime({ of, count }: { readonly of: ContainerMemory; readonly count: number }) {
  if (of.spans.length === 0) return null;
  return (
    <span class="lifetime" aria-hidden="true">
      {of.spans.map(([from, to]) => (
        <i
          key={from}
          style={{ left: `${(from / count) * 100}%`, right: `${(1 - (to + 1) / count) * 100}%` }}
        />
      ))}
    </span>
  );
}
