import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { ShareList } from '../details/ShareList.tsx';
import type { Functions } from './functions.ts';

export function FunctionList(props: { readonly functions: Functions }) {
  const app = useApp();
  const { order, compares, filter, list, chosen } = props.functions;
  const { value, error } = list.value;
  return (
    <nav class="functions" aria-label="Functions">
      <SearchBox
        label="Find a function"
        placeholder="Find a function"
        value={filter.value}
        problem={error?.code === 'bad_pattern' ? error.message : undefined}
        onChange={(text) => {
          filter.value = text;
        }}
      />
      <div class="order">
        <Segments
          label="Order of functions"
          choices={[
            ...(compares.value
              ? [{ value: 'change', label: 'by change', title: 'What changed most' } as const]
              : []),
            { value: 'total', label: 'by total', title: 'With what they call' },
            { value: 'self', label: 'by self', title: 'What they do themselves' },
          ]}
          value={order.value}
          onChange={(next) => {
            order.value = next;
          }}
        />
      </div>
      {value !== undefined && (
        <ShareList
          unit={app.profile.summary.value?.metrics[value.metric] ?? app.profile.metricInfo.value}
          whole={value.whole}
          more={value.matches - value.rows.length}
          rows={value.rows.map((row) => ({
            id: String(row.key),
            name: row.name,
            value: row.value,
            current: row.key === chosen.value,
            run: () => app.update({ fn: row.key }, 'push'),
          }))}
        />
      )}
      {value?.rows.length === 0 && (
        <p class="mute">
          {formatThings(value.matches, 'function')} {value.matches === 1 ? 'matches' : 'match'}
        </p>
      )}
    </nav>
  );
}
