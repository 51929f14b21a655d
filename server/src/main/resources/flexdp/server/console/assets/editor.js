// The SQL editor: CodeMirror with the policy's own words.
import {
  EditorState, EditorView, HighlightStyle, PostgreSQL, Compartment, Prec, acceptCompletion, autocompletion,
  bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, drawSelection,
  highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, keymap, lineNumbers, lintKeymap,
  placeholder, schemaCompletionSource, setDiagnostics, syntaxHighlighting, tags,
} from './vendor-editor.js';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--sql-keyword)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--sql-name)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '0.9rem', backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', minHeight: '8.5rem', maxHeight: '45vh' },
  '.cm-content': { padding: '0.8rem 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 1rem 0 0.5rem' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--muted)', paddingLeft: '0.4rem' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--selection)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selection)', outline: 'none' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '8px', boxShadow: 'var(--shadow)', overflow: 'hidden' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '0.82rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.6rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1', marginLeft: '1em' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad) 1.5px', textUnderlineOffset: '4px' },
  '.cm-diagnostic': { padding: '0.5rem 0.7rem', borderLeft: '3px solid var(--bad)', maxWidth: '34rem' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', borderRadius: '6px', padding: '0.2rem 0.6rem' },
});

function nonce() {
  return document.querySelector('meta[name="csp-nonce"]')?.content ?? '';
}

/**
 * Text typed over a selection. Left to itself, the browser keeps the look of what it replaces in style attributes,
 * which the page's policy forbids: nothing is lost, but each is an error on the console.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    if (event.inputType !== 'insertText' || !event.data || view.composing || empty) return false;
    const insert = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, event.data, insert))) view.dispatch(insert());
    return true;
  },
});

/** What completion offers: tables with their columns, functions, and labels as texts. */
export function vocabulary(schema) {
  const tables = {};
  for (const table of schema.tables) {
    tables[table.name] = table.columns.map((c) => ({ label: c.name, type: 'property', detail: c.type }));
  }
  return tables;
}

const KEYWORDS =
  'SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT AS AND OR NOT IN IS NULL EXISTS BETWEEN LIKE CASE WHEN THEN ELSE END JOIN INNER LEFT RIGHT FULL OUTER CROSS ON USING WITH UNION ALL DISTINCT FILTER OVER PARTITION ASC DESC CAST INTERVAL DATE TIMESTAMP TRUE FALSE ROLLUP CUBE GROUPING SETS'.split(' ');

function wordsOf(schema) {
  const known = [
    ...(schema.functions ?? []).map((name) => ({ label: name, type: 'function', boost: -10 })),
    ...KEYWORDS.map((name) => ({ label: name, type: 'keyword', boost: -5 })),
  ];
  const labels = [];
  for (const table of schema.tables) {
    for (const column of table.columns) {
      for (const label of (column.labels ?? []).slice(0, 50)) {
        if (typeof label === 'string') labels.push({ label: `'${label.replaceAll("'", "''")}'`, type: 'text', detail: `${table.name}.${column.name}` });
      }
    }
  }
  return (context) => {
    const text = context.matchBefore(/'[^']*$/);
    if (text) return { from: text.from, options: labels, validFor: /^'[^']*$/ };
    const word = context.matchBefore(/\w+$/);
    return word ? { from: word.from, options: known, validFor: /^\w*$/ } : null;
  };
}

function language(schema) {
  const { data } = PostgreSQL.language;
  const names = schemaCompletionSource({ dialect: PostgreSQL, schema: vocabulary(schema) });
  return [PostgreSQL.extension, data.of({ autocomplete: names }), data.of({ autocomplete: wordsOf(schema) })];
}

/** An editor in a place. `changed` gets the text after each change, `submit` is Ctrl+Enter. */
export function editor(parent, { changed, submit, label }) {
  const words = new Compartment();
  const run = () => {
    submit();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(nonce()),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }, { key: 'Tab', run: acceptCompletion }])),
        lineNumbers(), highlightSpecialChars(), history(), drawSelection(), bracketMatching(), closeBrackets(),
        autocompletion({ icons: false }), highlightSelectionMatches(), syntaxHighlighting(colours), look, words.of([]),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        typedOver,
        placeholder('SELECT …'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'none' }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    write: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    replace(from, to, text) {
      view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, scrollIntoView: true });
      view.focus();
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    know: (schema) => view.dispatch({ effects: words.reconfigure(language(schema)) }),
    focus: () => view.focus(),
    goTo(from) {
      view.dispatch({ selection: { anchor: Math.min(from, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    /** Underlines what the server objects to, or nothing. */
    mark(verdict, apply) {
      const length = view.state.doc.length;
      const wrong = verdict && verdict.status === 'rejected' && verdict.from !== undefined && verdict.from < length;
      const range = wrong && {
        from: verdict.from,
        to: Math.min(length, Math.max(verdict.to, verdict.from + 1)),
        severity: 'error',
        message: verdict.message,
        actions: (verdict.fixes ?? []).map((fix) => ({ name: fix.title, apply: () => apply(fix) })),
      };
      view.dispatch(setDiagnostics(view.state, wrong ? [range] : []));
    },
  };
}
