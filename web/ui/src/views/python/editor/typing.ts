import { EditorView } from '@codemirror/view';

/**
 * Types over what is selected. The browser would give what it puts there the looks of what was, as inline
 * styles, which a strict page refuses.
 */
export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    const { data: text } = event;
    if (event.inputType !== 'insertText' || text === null || main.empty || view.composing) {
      return false;
    }
    event.preventDefault();
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), {
        userEvent: 'input.type',
        scrollIntoView: true,
      });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, insert))) {
      view.dispatch(insert());
    }
    return true;
  },
});
