import type { StateKind, StatePart, ThreadBar } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { formatInteger, formatShare, formatThings } from '../../text/units.ts';
import { STATE_NAMES } from './lists.ts';

const KINDS = Object.keys(STATE_NAMES) as readonly StateKind[];

/** What a thread did, in words. */
export function barText(parts: readonly StatePart[]): string {
  return parts.map(({ kind, share }) => `${STATE_NAMES[kind]} ${formatShare(share)}`).join(', ');
}

/** A bar a thread, as long as the time that counts, of how long it was in which state. */
export function StateBars(props: { readonly threads: readonly ThreadBar[]; readonly all: number }) {
  const app = useApp();
  const { threads, all } = props;
  const present = KINDS.filter((kind) =>
    threads.some(({ parts }) => parts.some((part) => part.kind === kind)),
  );
  return (
    <div class="state-bars">
      <p class="state-legend">
        {present.map((kind) => (
          <span key={kind}>
            <i class={`state-${kind}`} /> {STATE_NAMES[kind]}
          </span>
        ))}
      </p>
      <ul>
        {threads.map(({ thread, track, parts }) => (
          <li key={`${track}\n${thread}`}>
            <button
              type="button"
              class="plain"
              disabled={track === null}
              title={track === null ? `${thread} has no track` : `To ${thread}`}
              onClick={() => track !== null && app.profile.timeline.peek()?.showTrack(track)}
            >
              {thread}
            </button>
            <span class="state-bar" role="img" aria-label={barText(parts)} title={barText(parts)}>
              {parts.map(({ kind, share }) => (
                <i key={kind} class={`state-${kind}`} style={{ width: `${share * 100}%` }} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {all > threads.length && (
        <p class="mute">
          {formatInteger(threads.length)} of {formatThings(all, 'thread')} are drawn: narrow them by
          name
        </p>
      )}
    </div>
  );
}
