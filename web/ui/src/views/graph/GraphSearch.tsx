import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useCommands } from '../../state/commands.ts';
import { useServices } from '../../state/services.ts';
import { nextTheme } from '../../state/theme.ts';
import { formatInteger } from '../../text/units.ts';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { KindGlyph } from './KindGlyph.tsx';

/** Matches in the list at once. */
const MOST_LISTED = 100;

/** Finds elements by name, kind or data; a list of what was found leads to each. */
export function GraphSearch() {
  const { app, commands } = useServices();
  const { graph } = app;
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const focused = useSignal(false);
  useCommands(commands, () => undefined, {
    search() {
      input.current?.focus();
      input.current?.select();
    },
    next_theme() {
      if (app.host.editor !== undefined) return;
      app.theme.choice.value = nextTheme(app.theme.choice.value);
    },
  });
  const { value: found, error, pending } = graph.search.value;
  const text = app.view.value.search;
  const at = graph.match.value;
  const matches = found?.result.matches ?? [];
  const total = found?.result.total ?? 0;
  const count =
    error !== undefined
      ? '!'
      : found === undefined || pending
        ? '…'
        : at === undefined
          ? formatInteger(total)
          : `${formatInteger(at + 1)} of ${formatInteger(total)}`;
  return (
    <div
      ref={box}
      class="graph-search"
      onKeyDown={(event) => {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, li button') ?? [])];
        const index = stops.indexOf(document.activeElement as HTMLElement);
        if (by === 0 || index < 0) return;
        event.preventDefault();
        event.stopPropagation();
        stops[index + by]?.focus();
      }}
      onFocusIn={() => {
        focused.value = true;
      }}
      onFocusOut={(event) => {
        focused.value =
          event.relatedTarget instanceof Node &&
          box.current?.contains(event.relatedTarget) === true;
      }}
    >
      <SearchBox
        label="Search"
        placeholder="Search names, kind:map, data:A"
        value={text}
        inputRef={input}
        problem={error?.message}
        onChange={(search) => app.update({ search }, 'replace')}
        onEnter={(back) => graph.stepMatch(back ? -1 : 1)}
        onEscape={() => document.querySelector<HTMLElement>('[data-scope]')?.focus()}
      >
        {text === '' ? (
          <span class="key" aria-hidden="true">
            /
          </span>
        ) : (
          <output class="share" aria-live="polite">
            {count}
          </output>
        )}
      </SearchBox>
      {focused.value && text !== '' && found !== undefined && (
        <ul class="graph-matches menu" aria-label="Matches">
          {matches.length === 0 && <li class="mute">Nothing of that name</li>}
          {matches.slice(0, MOST_LISTED).map((match, index) => (
            <li key={match.element}>
              <button
                type="button"
                aria-current={index === at}
                onClick={() => graph.jumpToMatch(index)}
              >
                <span>
                  <KindGlyph kind={match.kind} /> {match.label}
                </span>
                <small class="mute mono">{match.id}</small>
              </button>
            </li>
          ))}
          {total > MOST_LISTED && (
            <li class="mute">and {formatInteger(total - MOST_LISTED)} more; n walks on</li>
          )}
        </ul>
      )}
    </div>
  );
}
