import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../../widgets/Dialog.tsx';

/** Asks for the name of a script. */
export function SaveDialog(props: {
  readonly name: string;
  readonly taken: readonly string[];
  onSave(name: string): void;
  onClose(): void;
}) {
  const name = useSignal(props.name);
  const field = useRef<HTMLInputElement>(null);
  const typed = name.value.trim();
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog title="Save the script" onClose={props.onClose}>
      <form
        class="python-save"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === '') return;
          props.onSave(typed);
          props.onClose();
        }}
      >
        <label>
          Name{' '}
          <input
            ref={field}
            class="control"
            maxLength={100}
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <p class="mute">
          {props.taken.includes(typed)
            ? 'There is a script of this name: it will be replaced.'
            : 'It is kept on this machine, for this page.'}
        </p>
        <button type="submit" class="primary" disabled={typed === ''}>
          Save
        </button>
      </form>
    </Dialog>
  );
}
