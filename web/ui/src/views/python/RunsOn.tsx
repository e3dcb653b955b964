import type { PythonPane } from '../../state/python/pane.ts';
import { visible } from '../../text/names.ts';
import { MenuButton } from '../../widgets/Menu.tsx';

/** Which profile a run works on; to be chosen where what is shown is a result of the script itself. */
export function RunsOn({ pane }: { readonly pane: PythonPane }) {
  const profile = pane.profile.value;
  const choices = pane.choices.value;
  if (profile === undefined) return null;
  const name = visible(profile.name);
  if (choices.length < 2) {
    return (
      <span class="of" title={`A run works on ${name}, which is shown`}>
        on {name}
      </span>
    );
  }
  return (
    <MenuButton
      label={`Works on ${name}`}
      class="plain file"
      title="What is shown is a result of this script: choose what a run works on"
      items={choices.map((one, place) => ({
        label: place === 0 ? visible(one.name) : `The result that is shown: ${visible(one.name)}`,
        checked: one.document === profile.document,
        run: () => pane.choose(one.document),
      }))}
    >
      <span class="title">on {name}</span>{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}
