// What stands beside the text of a question: values of its parameters, and labels of one's own.
import { fill, h } from './dom.js';
import { field } from './ui.js';

/** Texts, quoted names and comments first, so that nothing in them is taken for a parameter. */
const WORDS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)|\$(\d+)/g;

/** The names or numbers of the parameters, in the order in which they first stand in the text. */
export function parametersOf(sql) {
  return [...new Set([...sql.matchAll(WORDS)].map((m) => m[1] ?? m[2]).filter((name) => name !== undefined))];
}

const shown = (name) => (/^\d/.test(name) ? `$${name}` : `:${name}`);

/** A field for each parameter; `changed` is called when a value is. */
export function valuesControl(changed) {
  const given = new Map();
  const element = h('div', { class: 'values', role: 'group', 'aria-label': 'Values of the parameters', hidden: true });
  let names = [];
  const known = (name) => given.get(name) ?? { text: '', nothing: false };

  function one(name) {
    const change = (value) => {
      given.set(name, value);
      input.disabled = value.nothing;
      changed();
    };
    const input = h('input', { autocomplete: 'off', spellcheck: 'false', '.value': known(name).text, disabled: known(name).nothing, oninput: () => change({ text: input.value, nothing: false }) });
    const nothing = h('input', { type: 'checkbox', '.checked': known(name).nothing, 'aria-label': `${shown(name)} is NULL`, onchange: () => change({ text: input.value, nothing: nothing.checked }) });
    return h('div', { class: 'value' }, field(shown(name), input), h('label', { class: 'check' }, nothing, ' NULL'));
  }

  function draw() {
    element.hidden = names.length === 0;
    fill(element, names.map(one));
  }

  return {
    element,
    /** Shows the fields that a text needs; what was filled in stays. */
    show(sql) {
      const found = parametersOf(sql);
      if (found.join() === names.join()) return;
      names = found;
      draw();
    },
    /** Those without a value, as the text has them. */
    missing: () => names.filter((name) => known(name).text === '' && !known(name).nothing).map(shown),
    /** Nothing when the text has no parameters. */
    chosen: () => (names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, known(name).nothing ? null : known(name).text]))),
    set(values) {
      given.clear();
      for (const [name, value] of Object.entries(values ?? {})) given.set(name, value === null ? { text: '', nothing: true } : { text: String(value), nothing: false });
      draw();
    },
  };
}

/** One record after the other; nothing between two commas is NULL, as in the files of the command line. */
function records(text) {
  const all = [];
  const fields = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r?\n|$)/y;
  let row = [];
  while (fields.lastIndex < text.length || row.length > 0) {
    const [, written, end] = fields.exec(text) ?? [];
    if (end === undefined) throw new Error('A label in quotes is not closed, or followed by something other than a comma.');
    row.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written === '' ? null : written);
    if (end !== ',') {
      all.push(row);
      row = [];
    }
  }
  return all;
}

/** Labels as the server takes them: the first line names the columns. */
export function labelsOf(text) {
  const [columns = [], ...rows] = records(text.trim());
  if (columns.some((name) => name === null || name.trim() === '')) throw new Error('The first line of the labels names their columns.');
  const wrong = rows.findIndex((row) => row.length !== columns.length);
  if (wrong >= 0) throw new Error(`Line ${wrong + 2} of the labels has ${rows[wrong].length} fields instead of ${columns.length}.`);
  return { columns: columns.map((name) => name.trim()), rows };
}

/** Where labels are written; `changed` is called when they are. */
export function labelsControl(changed) {
  const input = h('textarea', { class: 'labels', rows: 4, spellcheck: 'false', placeholder: 'city\nOslo\nBergen', oninput: changed });
  return {
    element: field('Labels of your own', input, 'For GROUP BY columns without listed labels. CSV: the columns’ names, then one label a line.'),
    text: () => input.value,
    /** Nothing when there are none; throws what is wrong with them. */
    chosen: () => (input.value.trim() === '' ? undefined : labelsOf(input.value)),
    set(text) {
      input.value = text ?? '';
    },
  };
}
