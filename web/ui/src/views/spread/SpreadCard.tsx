import type { Engine } from '@hotframe/engine';
import { distinct } from '../../state/distinct.ts';
import { memberWord } from '../../state/members.ts';
import { locate, withPlace } from '../../state/nodes.ts';
import type { Pin } from '../../state/profile/pins.ts';
import { resource } from '../../state/resource.ts';
import { useApp } from '../../state/services.ts';
import { shortenName, visible } from '../../text/names.ts';
import { formatThings } from '../../text/units.ts';
import { useFollowed } from '../../widgets/followed.ts';
import { useMade } from '../../widgets/made.ts';
import { Spread, type SpreadValues } from './Spread.tsx';

const TITLE_COLUMNS = 36;

/** The values of one node over members, in one metric or in all. */
export function SpreadCard(props: { readonly pin: Pin; onClose(): void }) {
  const app = useApp();
  const { pin } = props;
  const summary = app.profile.summary.value;
  const compared = summary?.comparison?.metrics;
  const all =
    compared?.map(({ both }) => both) ??
    summary?.metrics.flatMap(({ formula }, index) => (formula === null ? [index] : [])) ??
    [];
  const metrics = app.profile.allMetrics.value ? all : [pin.spec.metric];
  const wanted = useFollowed({ pin, metrics });
  const loaded = useMade(() =>
    resource(
      distinct(() => wanted.value),
      ({ pin: of, metrics: asked }, abort) =>
        Promise.all(asked.map((metric) => spreadOf(app.engine, of, metric, abort))),
    ),
  );
  const { value, error } = loaded.state.value;
  const thing = memberWord(app.view.value.members);
  const members = value?.[0]?.result.members.length;
  const isPinned = app.profile.isPinned(pin);
  return (
    <section class="spread distribution" aria-label={`Values of ${visible(pin.label)}`}>
      <header>
        <h3 title={visible(pin.label)}>{shortenName(pin.label, TITLE_COLUMNS)}</h3>
        <button
          type="button"
          class={isPinned ? 'plain on' : 'plain'}
          aria-pressed={isPinned}
          title="Pin"
          onClick={() => app.profile.togglePin(pin)}
        >
          Pin
        </button>
        <button type="button" class="plain" aria-label="Close" onClick={props.onClose}>
          ✕
        </button>
      </header>
      <p class="mute">
        {members === undefined ? '' : `Total over ${formatThings(members, thing)}`}
        {all.length > 1 && (
          <button
            type="button"
            class={app.profile.allMetrics.value ? 'plain on' : 'plain'}
            aria-pressed={app.profile.allMetrics.value}
            onClick={() => {
              app.profile.allMetrics.value = !app.profile.allMetrics.value;
            }}
          >
            All metrics
          </button>
        )}
      </p>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {value?.map((spread) => {
        const unit = summary?.metrics[spread.result.metric] ?? app.profile.metricInfo.value;
        return (
          <div key={spread.result.metric}>
            <h4>
              {compared?.find(({ both }) => both === spread.result.metric)?.name ?? unit.name}
            </h4>
            <Spread spread={spread} unit={unit} thing={thing} brief />
          </div>
        );
      })}
    </section>
  );
}

/** The distribution of a node in a metric; nodes are found by their way from the root. */
function spreadOf(
  engine: Engine,
  { spec, path }: Pin,
  metric: number,
  signal: AbortSignal,
): Promise<SpreadValues> {
  const view = { ...spec, metric };
  return withPlace(
    () => locate(engine, view, path, signal),
    undefined,
    ({ instance, node }) =>
      engine.call('distribution', { view, instance: instance ?? null, node }, { signal }),
  );
}
