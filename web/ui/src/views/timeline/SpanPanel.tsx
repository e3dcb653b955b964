import { useServices } from '../../state/services.ts';
import { exactPattern } from '../../text/patterns.ts';
import { formatInteger } from '../../text/units.ts';
import { Estimate } from '../estimates/Estimate.tsx';
import type { TimelineController } from './controller.ts';
import { type Item, lasting } from './items.ts';
import { showPath } from './path-of.ts';
import { rangePattern, timeLabel } from './times.ts';

/** Arrows that are told one by one. */
const MOST_ARROWS = 8;

/** All that is known of what is selected. */
export function SpanPanel(props: {
  readonly controller: TimelineController;
  choose(pattern: string): void;
}) {
  const { app } = useServices();
  const { controller } = props;
  const item = controller.selected.value.value;
  const tracks = controller.tracks.value.value;
  if (item === undefined || tracks === undefined) return null;
  const nameOf = (track: number) =>
    tracks.tracks.find((one) => one.track === track)?.name ?? `track ${track}`;
  const fact = (name: string, value: string) => (
    <div>
      <dt>{name}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
  const at = (time: number) => timeLabel(tracks.origin + time);
  const isSpan = item.length !== undefined;
  return (
    <section class="span-panel" aria-label={isSpan ? 'Selected span' : 'Selected frame'}>
      <header>
        <h2 title={item.name}>{item.name}</h2>
        <Place item={item} />
        <span class="grow" />
        {isSpan && (
          <button
            type="button"
            class="plain"
            title="Filter all views to this time (M)"
            onClick={() => {
              const end = item.begin + lasting(item);
              props.choose(rangePattern(tracks.origin, { from: item.begin, to: end }, 1));
            }}
          >
            Filter to this span
          </button>
        )}
        {isSpan && (
          <button
            type="button"
            class="plain"
            title="All views show what ran during spans with this name, on their threads"
            onClick={() => app.profile.addFilter('during', exactPattern(item.name))}
          >
            Filter to all spans with this name
          </button>
        )}
        {isSpan && (
          <button
            type="button"
            class="plain"
            title="What this span waited for, listed below the timeline"
            onClick={() => showPath(app, item.key.span)}
          >
            Critical path
          </button>
        )}
        <button
          type="button"
          class="plain"
          aria-label="Unselect"
          onClick={() => controller.select(undefined)}
        >
          ×
        </button>
      </header>
      <Estimate of={item.path.at(-1)} />
      <dl>
        {fact(isSpan ? 'begins' : 'sampled', at(item.begin))}
        {item.length !== undefined &&
          fact('lasts', `${item.isUnfinished ? 'at least ' : ''}${timeLabel(item.length)}`)}
        {item.isUnfinished && fact('end', 'never recorded')}
        {item.self !== undefined && fact('self', timeLabel(item.self))}
        {item.track !== undefined && fact('on', nameOf(item.track))}
        {item.arguments.map(([key, value], index) => (
          <Argument key={index} name={key} value={value} />
        ))}
        {item.flows.slice(0, MOST_ARROWS).map(({ name, tracks: ends, times }, index) => (
          <Argument
            key={`flow${index}`}
            name={name === '' ? 'arrow' : name}
            value={`${nameOf(ends[0])} at ${at(times[0])} → ${nameOf(ends[1])} at ${at(times[1])}`}
          />
        ))}
        {item.flows.length + item.moreFlows > MOST_ARROWS &&
          fact('arrows', `${formatInteger(item.flows.length + item.moreFlows)} in all`)}
      </dl>
    </section>
  );
}

/** Where it is in the source, and the way there. */
function Place({ item }: { readonly item: Item }) {
  const { app } = useServices();
  if (item.file === '') return null;
  const text = placeOf(item);
  return (
    <button
      type="button"
      class="place link"
      title={`Open its source (e): ${item.file}`}
      onClick={() => app.source.open(item, true)}
    >
      {text}
    </button>
  );
}

/** The file's own name and the line. */
export function placeOf({ file, line }: Pick<Item, 'file' | 'line'>): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return line > 0 ? `${name}:${line}` : name;
}

function Argument({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={value}>{value.length > 300 ? `${value.slice(0, 300)}…` : value}</dd>
    </div>
  );
}
