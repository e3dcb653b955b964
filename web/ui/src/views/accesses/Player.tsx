import { useEffect } from 'preact/hooks';
import type { AccessesRun } from '../../state/accesses.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { count, endsOf, iterationWith, valuesAt, variablesAt } from './iterations.ts';
import { stepsText } from './words.ts';

/** Iterations a second. */
const SPEEDS = [1, 2, 4, 8, 16, 30, 60, 240, 1000];

/** The iteration whose accesses are lit: play, step, scrub, or set each loop by itself. */
export function Player() {
  const app = useApp();
  const { accesses } = app;
  const run = accesses.run.value.value;
  usePlaying(run);
  if (run?.result.has_each !== true) return null;
  const total = count(run);
  if (total === 0) return null;
  const { at, range } = accesses.view.value;
  const shown = Math.min(at ?? 0, total - 1);
  const go = (iteration: number) =>
    accesses.drag({ at: Math.min(total - 1, Math.max(0, iteration)) });
  const playing = accesses.playing.value;
  const isRecorded = accesses.isRecorded.value;
  const [one, many] = [stepsText('one', isRecorded), stepsText('many', isRecorded)];
  return (
    <section class="accesses-player" aria-label={isRecorded ? 'Accesses' : 'Iterations'}>
      <Scope run={run} at={shown} lit={at !== undefined} go={go} />
      <div class="accesses-transport">
        <button type="button" class="control" title={`First ${one} (Home)`} onClick={() => go(0)}>
          «
        </button>
        <button type="button" class="control" title="One back (,)" onClick={() => go(shown - 1)}>
          ◂
        </button>
        <button
          type="button"
          class="control"
          aria-pressed={playing}
          title="Play or pause (Space)"
          onClick={() => {
            accesses.playing.value = !playing;
          }}
        >
          {playing ? 'Pause' : 'Play'}
        </button>
        <button type="button" class="control" title="One on (.)" onClick={() => go(shown + 1)}>
          ▸
        </button>
        <input
          type="range"
          class="accesses-scrub"
          aria-label={isRecorded ? 'Access' : 'Iteration'}
          min={0}
          max={total - 1}
          value={shown}
          aria-valuetext={`${shown + 1} of ${total}`}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <span class="number accesses-count">
          {at === undefined ? '–' : formatInteger(shown + 1)} of {formatInteger(total)}
        </span>
        <MenuButton
          label={`${accesses.speed.value}/s, ${many} a second`}
          items={SPEEDS.map((speed) => ({
            label: `${speed} a second`,
            checked: speed === accesses.speed.value,
            run: () => {
              accesses.speed.value = speed;
            },
          }))}
        >
          {accesses.speed.value}/s
        </MenuButton>
        <RangeMenu total={total} shown={shown} />
        {at !== undefined && (
          <button
            type="button"
            class="plain"
            title={`Highlight no ${one}`}
            onClick={() => {
              accesses.playing.value = false;
              accesses.update({ at: undefined }, 'replace');
            }}
          >
            ×
          </button>
        )}
        {range !== undefined && (
          <button
            type="button"
            class="plain on"
            title={`Count all ${many} again`}
            onClick={() => accesses.update({ range: undefined }, 'push')}
          >
            {many} {formatInteger(range.from + 1)}–{formatInteger(range.to + 1)} ×
          </button>
        )}
      </div>
    </section>
  );
}

/** Which iterations are counted. */
function RangeMenu({ total, shown }: { readonly total: number; readonly shown: number }) {
  const { accesses } = useApp();
  const range = accesses.view.value.range ?? { from: 0, to: total - 1 };
  const set = (from: number, to: number) =>
    accesses.update({ range: from === 0 && to === total - 1 ? undefined : { from, to } }, 'push');
  return (
    <MenuButton
      label={`Count… which ${stepsText('many', accesses.isRecorded.value)}`}
      items={[
        { label: 'Up to this one', run: () => set(0, shown) },
        { label: 'This one alone', run: () => set(shown, shown) },
        { label: 'From this one on', run: () => set(shown, Math.max(shown, range.to)) },
        { label: 'All', apart: true, run: () => set(0, total - 1) },
      ]}
    >
      Count…
    </MenuButton>
  );
}

/** The loops around the iteration, as a scope's header, each with a slider. */
function Scope(props: {
  readonly run: AccessesRun;
  readonly at: number;
  readonly lit: boolean;
  go(iteration: number): void;
}) {
  const { run, at, go } = props;
  const values = valuesAt(run, at);
  const loops = variablesAt(run, at);
  if (loops.length === 0) return null;
  return (
    <div class="accesses-scope" role="group" aria-label="Loops">
      {loops.map((variable) => {
        const [from, to] = endsOf(run, variable);
        const name = run.result.variables[variable]!;
        const value = values[variable]!;
        return (
          <label key={variable} class="accesses-loop">
            <code>{name}</code>
            <input
              type="range"
              aria-label={`Loop ${name}`}
              min={from}
              max={to}
              value={value}
              onInput={(event) => {
                const wanted = Number(event.currentTarget.value);
                go(iterationWith(run, at, variable, wanted));
              }}
            />
            <output class="number">{props.lit ? value : '–'}</output>
          </label>
        );
      })}
    </div>
  );
}

/** Moves on while it plays, at most once a frame of the screen. */
function usePlaying(run: AccessesRun | undefined): void {
  const { accesses } = useApp();
  const playing = accesses.playing.value;
  const speed = accesses.speed.value;
  useEffect(() => {
    if (!playing || run === undefined) return undefined;
    const total = count(run);
    if (total === 0) {
      accesses.playing.value = false;
      return undefined;
    }
    const begin = accesses.view.peek().at;
    let first = begin === undefined || begin >= total - 1 ? 0 : begin;
    let since = performance.now();
    let shown: number | undefined;
    let frame = requestAnimationFrame(function next(now) {
      const current = accesses.view.peek().at;
      // Whoever moves it while it plays goes on from there.
      if (shown !== undefined && current !== undefined && current !== shown) {
        [first, since] = [current, now];
      }
      const at = first + Math.max(0, Math.floor(((now - since) / 1000) * speed));
      shown = Math.min(at, total - 1);
      accesses.drag({ at: shown });
      if (at >= total - 1) accesses.playing.value = false;
      else frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, run]);
}
