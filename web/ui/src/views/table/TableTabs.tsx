import { useApp } from '../../state/services.ts';
import { ROWS } from '../../state/view-state.ts';
import { Segments } from '../../widgets/Segments.tsx';

/** Which of the tables is shown. */
export function TableTabs() {
  const app = useApp();
  const compares = app.profile.summary.value?.comparison != null;
  const choices = ROWS.map((choice) =>
    compares && choice.value === 'functions'
      ? { ...choice, label: 'What changed', title: 'Functions by how much they changed' }
      : choice,
  );
  return (
    <Segments
      label="Table of"
      choices={choices}
      value={app.view.value.rows}
      onChange={(rows) => app.update({ rows, sort: undefined, firstRow: 0 }, 'push')}
    />
  );
}
