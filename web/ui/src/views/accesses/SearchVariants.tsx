import type { AccessesSearchResult } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { cachesOf } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { formatInteger } from '../../text/units.ts';
import { ProgressBar } from '../../widgets/ProgressBar.tsx';

/** Variants that are simulated. */
const MOST = 200;
/** Variants in the list. */
const LISTED = 10;

/** Looks for layouts and orders of loops that miss less, at small or at full size. */
export function SearchVariants(props: { onChoose(changes: readonly string[]): void }) {
  const app = useApp();
  const { accesses, engine } = app;
  const found = useSignal<AccessesSearchResult | undefined>(undefined);
  const searching = useSignal<{ readonly done: number; readonly total: number } | undefined>(
    undefined,
  );
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const search = async (at: 'shown' | 'full') => {
    const program = accesses.program(accesses.view.peek().changes, at);
    if (program === undefined) return;
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
      found.value = result;
    } catch (error) {
      if (!own.signal.aborted) app.notices.fail(error);
    } finally {
      if (controller.current === own) searching.value = undefined;
    }
  };
  const result = found.value;
  const progress = searching.value;
  return (
    <>
      <h3>Look for better ones</h3>
      {progress === undefined ? (
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
            {formatInteger(progress.done)} variants simulated, at most {formatInteger(MOST)}{' '}
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
      {result !== undefined && (
        <>
          <ol class="accesses-variants">
            {result.variants.slice(0, LISTED).map(({ changes, misses }) => (
              <li key={changes.join(';')}>
                <button
                  type="button"
                  class="plain"
                  disabled={changes.length === 0}
                  title="Add these changes"
                  onClick={() => props.onChoose(changes)}
                >
                  <span class="number">{formatInteger(misses[0] ?? 0)}</span>{' '}
                  <code>{changes.length === 0 ? 'as it is' : changes.join('; ')}</code>
                </button>
              </li>
            ))}
          </ol>
          <p class="mute">
            {formatInteger(result.simulated)} simulated, {formatInteger(result.refused)} refused;
            the best of them need not be the best that there are.
          </p>
        </>
      )}
    </>
  );
}
