import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LogOf } from '../../state/runs/log.ts';
import { useApp } from '../../state/services.ts';

/** How near to the end somebody is who follows it, in CSS pixels. */
const NEAR_END = 24;

function whyEmpty(of: LogOf | undefined): string {
  if (of === undefined) return 'Nothing runs yet.';
  return of.isRunning ? 'Nothing is written yet.' : 'It wrote nothing.';
}

/** What a job writes, as it comes; stays where somebody has scrolled to. */
export function LogView(props: { readonly title: string; readonly problem: string }) {
  const { log, logOf } = useApp().runs;
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const of = logOf.value;
  const { value, error } = log.state.value;
  const text = value?.job === of?.job ? (value?.text ?? '') : '';
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [text]);
  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [of?.job]);
  const { problem, title } = props;
  return (
    <section class="run-log" aria-label="Log">
      <h2>
        Log <small class="mono">{title}</small>
      </h2>
      {problem !== '' && <p class="problem">{problem}</p>}
      {value?.isCut === true && text !== '' && <p class="mute">Only the last of it is shown.</p>}
      <pre
        ref={box}
        class="mono"
        tabIndex={0}
        aria-label="What it writes"
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          isAtEnd.current = scrollTop + clientHeight >= scrollHeight - NEAR_END;
        }}
      >
        {text === '' ? (error?.message ?? whyEmpty(of)) : text}
      </pre>
    </section>
  );
}
