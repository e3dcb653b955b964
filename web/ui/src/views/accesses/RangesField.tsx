import { useApp } from '../../state/services.ts';

/** Which arrays recorded accesses belong to, as far as somebody says it. */
export function RangesField() {
  const { accesses } = useApp();
  const { ranges } = accesses.view.value;
  return (
    <>
      <h2>Arrays</h2>
      <p class="mute">
        A recorded trace has no sizes to change. Name arrays by their addresses, bytes of an element
        and shape, one a line; everything else stands in regions of memory, called by their
        addresses.
      </p>
      <label class="accesses-field">
        <span class="mute">as a=0x4040:8:100x50</span>
        <textarea
          class="control accesses-ranges"
          name="ranges"
          rows={4}
          spellcheck={false}
          value={ranges.join('\n')}
          onChange={({ currentTarget: field }) =>
            accesses.update({ ranges: listed(field.value), chosen: [] }, 'push')
          }
        />
      </label>
    </>
  );
}

function listed(text: string): readonly string[] {
  return text
    .split(/[;\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
