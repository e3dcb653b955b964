import type { AccessesSearchResult } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { cachesOf } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger, formatThings } from '../../text/units.ts';
import { ProgressBar } from '../../widgets/ProgressBar.tsx';

/** Variants that are simulated. */
const MOST = 200;
/** Variants in the list. */
const LISTED = 10;

type Sizes = 'shown' | 'full';

/** Variants of what was asked, which may be another thing than what is on screen by now. */
interface Found {
  readonly result: AccessesSearchResult;
  readonly at: Sizes;
  /** The changes that they come after. */
  readonly after: readonly string[];
  /** What was asked, its changes aside. */
  readonly asked: string;
}

/** Looks for layouts and orders of loops that miss less, at small or at full size. */
export function SearchVariants(props: {
  /** All changes that are to be made. */
  onChoose(changes: readonly string[]): void;
}) {
  const app = useApp();
  const { accesses, engine } = app;
  const found = useSignal<Found | undefined>(undefined);
  const searching = useSignal<{ readonly done: number; readonly total: number } | undefined>(
    undefined,
  );
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const askedAt = (at: Sizes) =>
    JSON.stringify([accesses.program([], at), cachesOf(accesses.view.value, at)]);
  const search = async (at: Sizes) => {
    const after = accesses.view.peek().changes;
    const program = accesses.program(after, at);
    if (program === undefined) return;
    const asked = askedAt(at);
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    found.value = undefined;
    searching.value = { done: 0, total: MOST };
    try {
      const caches = cachesOf(accesses.view.peek(), at);
      const { result } = await engine.call(
        'accesses_search',
        { program, caches, most: MOST },
        {
          signal: own.signal,
          onProgress: ({ done, total }) => {
            searching.value = { done, total };
          },
        },
      );
      found.value = { result, at, after, asked };
    } catch (error) {
      if (!own.signal.aborted) app.notices.fail(error);
    } finally {
      if (controller.current === own) searching.value = undefined;
    }
  };
  const own = found.value;
  const progress = searching.value;
  return (
    <>
      <h3>Look for better ones</h3>
      {accesses.view.value.schedule !== '' ? (
        <p class="mute" role="note">
          Variants are simulated on one thread: to search them, clear the schedule under sizes and
          caches.
        </p>
      ) : progress === undefined ? (
        <p>
          <button type="button" class="control" onClick={() => void search('shown')}>
            At these sizes
          </button>{' '}
          <button type="button" class="control" onClick={() => void search('full')}>
            At full size
          </button>
        </p>
      ) : (
        <div role="status">
          <ProgressBar done={progress.done} total={progress.total} />
          <p class="number">
            {formatThings(progress.done, 'variant')} simulated, at most {formatInteger(MOST)}{' '}
            <button
              type="button"
              class="control"
              onClick={() => {
                controller.current?.abort();
                searching.value = undefined;
              }}
            >
              Stop
            </button>
          </p>
        </div>
      )}
      {own !== undefined && (
        <>
          <p class="mute" role="note">
            Misses {own.at === 'full' ? 'at full size' : 'at the sizes that were shown'}
            {own.after.length > 0 && `, after ${own.after.join('; ')}`}
            {own.asked === askedAt(own.at)
              ? '.'
              : ': sizes, caches or schedules have changed since.'}
          </p>
          <ol class="accesses-variants">
            {own.result.variants.slice(0, LISTED).map(({ changes, misses }) => (
              <li key={changes.join(';')}>
                <button
                  type="button"
                  class="plain"
                  disabled={changes.length === 0}
                  title="Make these changes"
                  onClick={() => props.onChoose([...own.after, ...changes])}
                >
                  <span class="number">{formatInteger(misses[0] ?? 0)}</span>{' '}
                  <code>{changes.length === 0 ? 'as it is' : changes.join('; ')}</code>
                </button>
              </li>
            ))}
          </ol>
          <p class="mute">
            {formatInteger(own.result.simulated)} simulated, {formatInteger(own.result.refused)}{' '}
            refused; the best of them need not be the best that there are.
          </p>
        </>
      )}
    </>
  );
}
