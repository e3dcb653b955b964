import { useApp } from '../../state/services.ts';
import { lazy } from '../../widgets/lazy.tsx';

const FunctionsView = lazy(
  async () => (await import('../functions/FunctionsView.tsx')).FunctionsView,
);
const TableView = lazy(async () => (await import('./TableView.tsx')).TableView);

/** The functions of a profile, or its tree, as rows. */
export function Rows() {
  return useApp().view.value.rows === 'functions' ? <FunctionsView /> : <TableView />;
}
