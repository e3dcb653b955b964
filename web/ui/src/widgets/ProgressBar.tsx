/** A bar that fills, or one that moves while nobody knows how much there is to do. */
export function ProgressBar(props: { readonly done: number; readonly total: number }) {
  const known = props.total > 0;
  const percent = known ? Math.min(100, (props.done / props.total) * 100) : 0;
  return (
    <div
      class={known ? 'progress' : 'progress unknown'}
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? Math.round(percent) : undefined}
      tabIndex={-1}
    >
      <i style={known ? { width: `${percent}%` } : {}} />
    </div>
  );
}
