import { useApp } from '../../state/services.ts';
import { Advice } from './Advice.tsx';

/** What notes and rules say of a function; nothing where they say nothing. */
export function FunctionAdvice(props: { readonly of: number }) {
  const app = useApp();
  // Keys of lines or modules are other ones.
  if (app.view.value.granularity !== 'function') return null;
  const rows = app.profile.advice.value?.rows.filter((row) => row.key === props.of) ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <h3>Advice</h3>
      <ul class="advice">
        {rows.map((row, index) => (
          <li key={index}>
            <Advice of={row} />
          </li>
        ))}
      </ul>
    </>
  );
}
