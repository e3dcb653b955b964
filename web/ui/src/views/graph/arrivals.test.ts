import { expect, it } from 'vitest';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { arrivalOf } from './arrivals.ts';
import { viewedAs } from './graph.fixture.ts';

const [folded, unfolded] = [sampleDrawing(false), sampleDrawing(true)];
/** The element of the box behind the one that unfolds, and of one that is in it. */
const [BEHIND, INSIDE] = [5, 6];

it('the first drawing, and that of another document, begin', () => {
  expect(arrivalOf(undefined, folded, false, []).kind).toBe('begins');
  const other = viewedAs(unfolded, { document: 1 });
  expect(arrivalOf(folded, other, false, [BEHIND]).kind).toBe('begins');
});

it('a drawing for another screen begins only while nobody has moved', () => {
  const wider = viewedAs(unfolded, { aspect: 200 });
  expect(arrivalOf(folded, wider, true, [BEHIND]).kind).toBe('begins');
  expect(arrivalOf(folded, wider, false, [BEHIND]).kind).toBe('changes');
  expect(arrivalOf(folded, unfolded, true, [BEHIND]).kind).toBe('changes');
});

it('the ground moves with the first anchor that both drawings have', () => {
  const anchors = [undefined, INSIDE, BEHIND];
  expect(arrivalOf(folded, unfolded, false, anchors)).toMatchObject({ dx: 0, dy: 100 });
  expect(arrivalOf(unfolded, folded, false, anchors)).toMatchObject({ dx: 0, dy: -100 });
  expect(arrivalOf(folded, unfolded, false, [INSIDE]).kind).toBe('differs');
});
