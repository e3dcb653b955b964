import { useServices } from '../../state/services.ts';
import { exactPattern } from '../../text/patterns.ts';
import { formatInteger } from '../../text/units.ts';
import type { TimelineController } from './controller.ts';
import { rangePattern, timeLabel } from './times.ts';

/** All that is known of the selected span. */
export function SpanPanel(props: {
  readonly controller: TimelineController;
  choose(pattern: string): void;
}) {
  const { app } = useServices();
  const { controller } = props;
  const span = controller.selected.value.value;
  const tracks = controller.tracks.value.value;
  if (span === undefined || tracks === undefined) return null;
  const nameOf = (track: number) =>
    tracks.tracks.find((one) => one.track === track)?.name ?? `track ${track}`;
  const fact = (name: string, value: string) => (
    <>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </>
  );
  return (
    <section class="span-panel" aria-label="Selected span">
      <header>
        <h2 title={span.name}>{span.name}</h2>
        {span.file !== '' && (
          <span class="mute" title={span.file}>
            {span.file.split(/[\\/]/).at(-1)}
            {span.line > 0 ? `:${span.line}` : ''}
          </span>
        )}
        <span class="grow" />
        <button
          type="button"
          class="plain"
          title="Everything else shows this stretch of time (M)"
          onClick={() => {
            const end = span.begin + Math.max(1, span.length);
            props.choose(rangePattern(tracks.origin, { from: span.begin, to: end }, 1));
          }}
        >
          Keep its time
        </button>
        <button
          type="button"
          class="plain"
          title="Everything else shows what was while spans of this name ran, on their threads"
          onClick={() => app.profile.addFilter('during', exactPattern(span.name))}
        >
          Inside all of this name
        </button>
        <button
          type="button"
          class="plain"
          aria-label="Unselect"
          onClick={() => controller.select(undefined)}
        >
          ×
        </button>
      </header>
      <dl>
        {fact('begins', timeLabel(tracks.origin + span.begin))}
        {fact('lasts', timeLabel(span.length))}
        {span.self_time !== null && fact('self', timeLabel(span.self_time))}
        {fact('on', nameOf(span.track))}
        {span.arguments.map(([key, value], index) => (
          <Argument key={index} name={key} value={value} />
        ))}
        {span.flows.slice(0, 8).map(({ name, tracks: ends, times }, index) => (
          <Argument
            key={`flow${index}`}
            name={name === '' ? 'arrow' : name}
            value={`${nameOf(ends[0])} at ${timeLabel(tracks.origin + times[0])} → ${nameOf(ends[1])} at ${timeLabel(tracks.origin + times[1])}`}
          />
        ))}
        {span.flows.length + span.more_flows > 8 &&
          fact('arrows', `${formatInteger(span.flows.length + span.more_flows)} in all`)}
      </dl>
    </section>
  );
}

function Argument({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd title={value}>{value.length > 300 ? `${value.slice(0, 300)}…` : value}</dd>
    </>
  );
}
