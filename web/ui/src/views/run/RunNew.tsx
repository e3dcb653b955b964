import { useApp } from '../../state/services.ts';
import { EntryCards } from './EntryCards.tsx';
import { FormFields } from './FormFields.tsx';
import { PlanPanel } from './PlanPanel.tsx';
import { Source } from './Source.tsx';

/** Where an experiment is put together: a program, what is wanted of it, and the plan beside it. */
export function RunNew() {
  const app = useApp();
  const { here, fresh } = app.runs;
  const obstacle = here.value.value?.obstacle ?? '';
  const problem = here.value.error;
  if (obstacle !== '' || problem !== undefined) {
    return (
      <main class="runs message">
        <div class="card" role="alert">
          <h1>Nothing can be run here</h1>
          <p class="problem">{problem?.message ?? obstacle}</p>
          <p>{problem?.hint ?? 'What is sent runs isolated from this machine, or not at all.'}</p>
        </div>
      </main>
    );
  }
  const upload = fresh.upload.value.value;
  const isWritten = fresh.written.value !== undefined;
  return (
    <main class={upload === undefined ? 'runs' : 'runs with-plan'} data-scope="runs">
      <div class="run-form">
        <h1>Run a program</h1>
        {upload === undefined && (
          <p class="mute lead">
            It runs on this machine, isolated: without network, and without your files.
          </p>
        )}
        <fieldset class="run-fields" disabled={isWritten}>
          <EntryCards />
        </fieldset>
        <Source />
        {upload !== undefined && (
          <fieldset class="run-fields" disabled={isWritten}>
            <FormFields upload={upload} />
          </fieldset>
        )}
      </div>
      {upload !== undefined && <PlanPanel />}
    </main>
  );
}
