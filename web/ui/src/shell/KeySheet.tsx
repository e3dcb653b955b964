import { shownKeys, shownPage } from '../documents/pages.ts';
import { EVERYWHERE } from '../state/key-bindings.ts';
import { type Command, GENERAL_COMMANDS, RUN_COMMANDS } from '../state/key-commands.ts';
import { chordLabel } from '../state/keys.ts';
import { useApp } from '../state/services.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import { hasPython } from './PythonDrawer.tsx';

/** All keys, printed from the table that dispatches them. */
export function KeySheet(props: { onClose(): void }) {
  const app = useApp();
  const page = shownPage(app);
  const own = page?.commands(app) ?? {};
  const mayRun = app.runs.isAllowed.value === true;
  const isShown = (command: Command) =>
    GENERAL_COMMANDS.has(command) ||
    (command === 'toggle_python' && hasPython(app)) ||
    (mayRun && RUN_COMMANDS.has(command)) ||
    command in own;
  return (
    <Dialog title="Keys" onClose={props.onClose}>
      <div class="keys">
        {shownKeys(app).map(({ scope, title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys
                .filter(({ command }) => scope !== EVERYWHERE || isShown(command))
                .map((binding) => (
                  <div key={binding.command}>
                    <dt>{binding.title}</dt>
                    <dd>
                      {binding.keys.map((chord) => (
                        <span key={chord} class="key">
                          {chordLabel(chord)}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>With the mouse</h3>
          <dl>
            {(page?.mouse ?? []).map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd class="mute">{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
