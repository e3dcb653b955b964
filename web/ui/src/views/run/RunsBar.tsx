import type { RunsPlace } from '../../state/runs/place.ts';
import { useApp } from '../../state/services.ts';

const PLACES: readonly { readonly to: RunsPlace; readonly label: string }[] = [
  { to: { page: 'new', upload: undefined }, label: 'New' },
  { to: { page: 'kept' }, label: 'Kept' },
  { to: { page: 'queue' }, label: 'Queue' },
];

/** The pages of experiments, and the way back to what is open. */
export function RunsBar() {
  const app = useApp();
  const { runs, documents } = app;
  const place = runs.place.value;
  const title = documents.titleOf(documents.named.value);
  if (runs.isAllowed.value !== true) return <nav class="bar" />;
  return (
    <nav class="bar runs-bar" aria-label="Experiments">
      {PLACES.map(({ to, label }) => (
        <button
          key={to.page}
          type="button"
          class={place?.page === to.page ? 'plain on' : 'plain'}
          aria-current={place?.page === to.page ? 'page' : undefined}
          onClick={() => runs.go(to)}
        >
          {label}
        </button>
      ))}
      <span class="grow" />
      {title !== undefined && (
        <button type="button" class="plain back" onClick={() => runs.leave()}>
          Back to {title}
        </button>
      )}
    </nav>
  );
}
