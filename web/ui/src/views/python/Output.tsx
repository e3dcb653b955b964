import { useLayoutEffect, useRef } from 'preact/hooks';
import { blocksOf } from '../../state/python/output.ts';
import type { PythonPane } from '../../state/python/pane.ts';
import { leftOut } from '../../state/python/scripts.ts';

/** How near to the end somebody is who follows it, in CSS pixels. */
const NEAR_END = 24;

/** What the script writes, as it comes; stays where somebody has scrolled to. */
export function Output({ pane }: { readonly pane: PythonPane }) {
  const { written, last } = pane.scripts;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const { pieces, dropped } = written.value;
  const error = last.value?.error;
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [written.value, error]);
  const { line } = error ?? {};
  return (
    <div
      ref={box}
      class="python-output"
      role="log"
      aria-label="Output"
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - NEAR_END;
      }}
    >
      {pieces.length === 0 && <p class="mute">{whyEmpty(pane)}</p>}
      {dropped > 0 && <pre class="note">{leftOut(dropped)}</pre>}
      {blocksOf(written.value).map(({ number, pieces }) => (
        <div key={number}>
          {pieces.map(({ of, text }, index) => (
            <pre key={index} class={of}>
              {text}
            </pre>
          ))}
        </div>
      ))}
      {line !== undefined && (
        <button type="button" class="link" onClick={() => pane.editor.peek()?.reveal(line)}>
          Go to line {line}
        </button>
      )}
    </div>
  );
}

function whyEmpty({ scripts }: PythonPane): string {
  const { kind } = scripts.status.value;
  if (kind === 'running' || kind === 'handing') return 'Nothing is written yet.';
  if (scripts.last.value !== undefined) return 'It wrote nothing.';
  return 'What a script prints is shown here. It reaches the profile that it works on, and neither the page nor a network.';
}
