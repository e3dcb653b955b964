import type { RunCounts } from '@hotframe/engine';
import { countsText, totalOf } from './words.ts';

/** Runs by where they are, as parts of a bar. */
export function CountsBar(props: { readonly counts: RunCounts }) {
  const { counts } = props;
  const total = Math.max(1, totalOf(counts));
  return (
    <span class="counts-bar" role="img" aria-label={countsText(counts)}>
      {(['done', 'failed', 'running'] as const).map((part) => (
        <i key={part} class={part} style={{ width: `${(100 * counts[part]) / total}%` }} />
      ))}
    </span>
  );
}
