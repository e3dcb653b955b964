import { changeState, stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { Segments } from '../../widgets/Segments.tsx';
import { ROWS, TABLE_PART } from './state.ts';

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
      value={stateOf(app.view.value, TABLE_PART).rows}
      onChange={(rows) => changeState(app, TABLE_PART, { rows, sort: undefined, firstRow: 0 })}
    />
  );
}
