import { useApp } from '../../state/services.ts';

/** The interpreters of this machine; those that are chosen are a condition. */
export function Interpreters() {
  const { here, fresh } = useApp().runs;
  const { draft } = fresh;
  const known = here.value.value?.interpreters ?? [];
  const chosen = new Set(draft.value.interpreters);
  return (
    <section class="run-section">
      <fieldset class="interpreters">
        <legend>Interpreters</legend>
        {here.value.pending && known.length === 0 && (
          <p class="mute" role="status">
            Looking for interpreters…
          </p>
        )}
        {known.map(({ level, title, build, path }) => (
          <label key={path} class="interpreter">
            <input
              type="checkbox"
              checked={chosen.has(level)}
              onChange={() => {
                // In the order of the list, whatever was chosen first.
                const next = known.filter((one) => chosen.has(one.level) !== (one.level === level));
                draft.value = { ...draft.peek(), interpreters: next.map((one) => one.level) };
              }}
            />
            <b>{title}</b>
            <span class="mute path mono" title={path}>
              {path}
            </span>
            <span class="mute build">{build.join(' · ')}</span>
          </label>
        ))}
      </fieldset>
      <p class="mute help">
        {chosen.size === 0
          ? 'None is chosen: the python3 that is found first.'
          : chosen.size > 1 && 'A cell for each.'}
      </p>
    </section>
  );
}
