import { createElement } from 'preact';
import { elementOf, type Shape } from './shapes.ts';

/** Shapes as elements of an SVG. */
export function Shapes({ shapes }: { readonly shapes: readonly Shape[] }) {
  return (
    <>
      {shapes.map((shape, index) => {
        const { tag, attributes } = elementOf(shape);
        const text = shape.kind === 'text' ? shape.text : undefined;
        return createElement(tag, { key: index, ...attributes }, text);
      })}
    </>
  );
}
