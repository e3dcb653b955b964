import { defineView } from '../../state/view.ts';
import { TABLE_KEYS } from './keys.ts';
import { Rows } from './Rows.tsx';

export const tableView = defineView({
  id: 'table',
  label: 'Table',
  title: 'A tree with every metric as a column',
  key: '5',
  keys: [TABLE_KEYS],
  isText: true,
  isTree: (app) => app.view.value.rows === 'tree',
  prunes: (app) => app.view.value.rows === 'tree',
  draw: () => <Rows key="rows" />,
});
