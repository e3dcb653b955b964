import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Inks of the page's theme, whichever that is. */
export const inks = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--state-running)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--path)' },
  { tag: tags.comment, color: 'var(--mute)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.className], fontWeight: '600' },
  { tag: tags.meta, color: 'var(--hot)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

const control = {
  color: 'inherit',
  background: 'var(--panel)',
  border: '1px solid var(--line)',
  borderRadius: '6px',
};

/** The editor in the colours of the page. */
export const colours = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--mute)',
    backgroundColor: 'var(--panel)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--bar)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--chip)', outline: '1px solid' },
  '.cm-tooltip': { ...control, boxShadow: 'var(--shadow)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--panel)',
    background: 'var(--accent)',
  },
  '.cm-completionIcon': { display: 'none' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)', fontFamily: 'var(--mono)' },
  '.cm-panels': { color: 'inherit', backgroundColor: 'var(--panel)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-button, .cm-textfield': { ...control, backgroundImage: 'none' },
});
