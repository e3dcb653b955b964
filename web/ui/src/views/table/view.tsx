import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { defineView } from '../../state/view.ts';
import { TABLE_KEYS } from './keys.ts';
import { Rows } from './Rows.tsx';
import { TABLE_PART } from './state.ts';

const listsTree = ({ view }: App) => stateOf(view.value, TABLE_PART).rows === 'tree';

export const tableView = defineView({
  id: 'table',
  label: 'Table',
  title: 'A tree with every metric as a column',
  key: '5',
  state: TABLE_PART,
  keys: [TABLE_KEYS],
  isText: true,
  isTree: listsTree,
  prunes: listsTree,
  draw: () => <Rows key="rows" />,
});
