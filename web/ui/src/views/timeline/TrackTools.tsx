import type { RefObject } from 'preact';
import { formatInteger, formatThings } from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import type { TimelineController } from './controller.ts';
import { allTracksMenu } from './track-menu.ts';

/** Which tracks are shown, and in which order. */
export function TrackTools(props: {
  readonly controller: TimelineController;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}) {
  const { controller, inputRef } = props;
  const all = controller.tracks.value.value?.tracks.length ?? 0;
  const { names, hidden, grouped } = controller.input.value.view;
  const places = controller.places.value;
  const isPart = names !== '' || hidden.length > 0 || grouped.length > 0;
  const count = isPart
    ? `${formatInteger(places.length)} of ${formatThings(all, 'track')}`
    : formatThings(all, 'track');
  if (all < 2) return null;
  return (
    <>
      <div class="search tracks-filter">
        <input
          ref={inputRef}
          type="search"
          aria-label="Tracks with these words in their names"
          placeholder="Tracks by name"
          title="Tracks with all of these words, with what stands around and under them (Shift+T)"
          spellcheck={false}
          autocomplete="off"
          value={names}
          onInput={(event) => controller.arrange({ names: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Escape') controller.arrange({ names: '' });
            document.querySelector<HTMLElement>('[data-scope=timeline]')?.focus();
          }}
        />
      </div>
      <MenuButton label={`${count}: order, and what is shown`} items={allTracksMenu(controller)}>
        <span class="number">{count}</span>{' '}
        <span class="caret" aria-hidden="true">
          ▾
        </span>
      </MenuButton>
      {hidden.length > 0 && (
        <button
          type="button"
          class="plain"
          title="Show all tracks again (Shift+X)"
          onClick={() => controller.arrange({ hidden: [] })}
        >
          {formatInteger(hidden.length)} hidden: show
        </button>
      )}
    </>
  );
}
