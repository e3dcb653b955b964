import type { EventEntry, EventPlace } from '@hotframe/engine';
import type { Signal } from '@preact/signals';
import { changeText, figureText, isEnough } from './figures.ts';
import { socketsOf } from './places.ts';

/** What the pictures of processors share. */
export interface Processors {
  readonly places: readonly EventPlace[];
  /** By group. */
  readonly entries: ReadonlyMap<string, EventEntry>;
  /** The group that is pointed at. */
  readonly hovered: Signal<string | undefined>;
  /** Processors that are kept. */
  readonly chosen: ReadonlySet<number>;
  toggle(cpu: number): void;
}

/** Processors as they stand in their sockets and cores, as dark as they have of it. */
export function CpuMap(
  props: Processors & { readonly title: string; readonly side: number | 'change' },
) {
  const { places, entries, hovered, chosen, toggle, title, side } = props;
  const value = (entry: EventEntry | undefined): number | undefined => {
    if (entry === undefined) return undefined;
    if (side !== 'change') return entry.sides[side]?.median ?? undefined;
    const ratio = entry.change?.ratio;
    return ratio === null || ratio === undefined ? undefined : Math.log2(Math.max(ratio, 1e-9));
  };
  // All sets have the same scale, so that one can be laid beside the other.
  let most = 0;
  for (const entry of entries.values()) {
    const own =
      side === 'change' ? [value(entry)] : entry.sides.map((one) => one?.median ?? undefined);
    for (const one of own) most = Math.max(most, Math.abs(one ?? 0));
  }
  return (
    <figure class="cpu-map">
      <figcaption>{title}</figcaption>
      <div class="sockets">
        {socketsOf(places).map(({ label, cores }) => (
          <div class="socket" key={label}>
            {label !== '' && <span class="mute">{label}</span>}
            <div class="cores">
              {cores.map((core) => (
                <div class="core" key={core[0]!.cpu}>
                  {core.map((place) => {
                    const entry = entries.get(place.group);
                    const own = value(entry);
                    const share = own === undefined || most === 0 ? 0 : Math.abs(own) / most;
                    const text = entry ? textOf(entry, side) : 'not measured';
                    return (
                      <button
                        type="button"
                        key={place.group}
                        class={classOf(own, side, entry, hovered.value === place.group)}
                        style={{ '--share': `${Math.round(share * 100)}%` }}
                        aria-pressed={chosen.has(place.cpu)}
                        aria-label={`${place.group}: ${text}`}
                        title={`${place.group}: ${text}`}
                        onPointerEnter={() => {
                          hovered.value = place.group;
                        }}
                        onPointerLeave={() => {
                          hovered.value = undefined;
                        }}
                        onClick={() => toggle(place.cpu)}
                      >
                        {place.cpu}
                      </button>
                    );
                  })}
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </figure>
  );
}

/** Verdicts that show a change. */
const SURE: ReadonlySet<string> = new Set(['more', 'less']);

function textOf(entry: EventEntry, side: number | 'change'): string {
  const few = isEnough(entry) ? '' : ', less than ten samples';
  if (side === 'change')
    return `${changeText(entry.change?.ratio)}, ${entry.change?.verdict ?? ''}${few}`;
  return figureText(entry, entry.sides[side]?.median) + few;
}

function classOf(
  value: number | undefined,
  side: number | 'change',
  entry: EventEntry | undefined,
  isHovered: boolean,
): string {
  const sign = side === 'change' && (value ?? 0) < 0 ? 'less' : 'more';
  const isSure = side !== 'change' || SURE.has(entry?.change?.verdict ?? '');
  const few = entry !== undefined && !(isEnough(entry) && isSure) ? 'few' : '';
  return ['cpu', sign, few, isHovered ? 'hovered' : ''].filter((word) => word !== '').join(' ');
}
