// What the page uses of CodeMirror. scripts/vendor-console bundles it into one file.
export {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
export { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
export { PostgreSQL, schemaCompletionSource } from '@codemirror/lang-sql';
export { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
export { lintKeymap, setDiagnostics, forEachDiagnostic } from '@codemirror/lint';
export { highlightSelectionMatches } from '@codemirror/search';
export { Compartment, EditorState, Prec } from '@codemirror/state';
export {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
export { tags } from '@lezer/highlight';
