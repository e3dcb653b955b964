// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { render } from 'preact';
import { expect, it } from 'vitest';
import type { TimelineController } from './controller.ts';
import { RULER } from './places.ts';
import { ScrollBar } from './ScrollBar.tsx';

it('has a scroll bar as long as what is in sight, where not all is', () => {
  const root = document.createElement('div');
  const scroll = signal(0);
  const controller = { scroll } as unknown as TimelineController;
  const bar = (content: number) => {
    render(<ScrollBar controller={controller} content={content} room={400} />, root);
    return root.querySelector<HTMLElement>('.timeline-scroll')?.style;
  };
  expect(bar(400)).toBeUndefined();
  expect(bar(800)).toMatchObject({ top: `${RULER}px`, height: '200px' });
  scroll.value = 400;
  expect(bar(800)).toMatchObject({ top: `${RULER + 200}px` });
  // It can still be seen beside very many tracks.
  expect(bar(80_000)?.height).toBe('24px');
  render(null, root);
});
