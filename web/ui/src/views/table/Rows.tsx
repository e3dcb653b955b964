import { stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { TABLE_PART } from './state.ts';

const FunctionsView = lazy(
  async () => (await import('../functions/FunctionsView.tsx')).FunctionsView,
);
const TableView = lazy(async () => (await import('./TableView.tsx')).TableView);

/** The functions of a profile, or its tree, as rows. */
export function Rows() {
  const { rows } = stateOf(useApp().view.value, TABLE_PART);
  return rows === 'functions' ? <FunctionsView /> : <TableView />;
}
