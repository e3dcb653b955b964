import type { SummaryResult } from '@hotframe/engine';
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { stateOf, withState } from '../../state/address-part.ts';
import { fakeHistory, turn } from '../../state/engine.fixture.ts';
import { createNotices } from '../../state/notices.ts';
import { followFormulas } from './formulas.ts';
import { LINKED_PART } from './state.ts';

it('formulas of panes are asked for, and those that cannot be are left out', async () => {
  const summary = signal({ metrics: [{ formula: null }, { formula: null }] } as SummaryResult);
  const asked: string[] = [];
  const define = async (_: number, formula: string) => {
    asked.push(formula);
    if (formula === 'cpu /') throw new Error('no such metric');
    const { metrics } = summary.peek();
    const known = { ...metrics[0]!, name: formula, formula };
    summary.value = { ...summary.peek(), metrics: [...metrics, known] };
    return metrics.length;
  };
  const history = fakeHistory();
  const notices = createNotices();
  const stop = followFormulas({
    ...history,
    notices,
    documents: { shown: signal(3) },
    profile: { summary, define },
  });
  const metrics = ['wall / cpu', 'cpu /', 1];
  history.update(withState(history.view.peek(), LINKED_PART, { metrics }), 'replace');
  await turn();
  await turn();
  expect(stateOf(history.view.value, LINKED_PART).metrics).toEqual(['wall / cpu', undefined, 1]);
  expect(summary.value.metrics.map(({ name }) => name)).toContain('wall / cpu');
  expect(notices.notice.value).toContain('no such metric');
  expect(asked).toHaveLength(2);
  stop();
});
