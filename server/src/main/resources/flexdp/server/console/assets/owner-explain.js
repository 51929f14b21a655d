import * as api from './api.js';
import { fill, h, icon } from './dom.js';
import { editor } from './editor.js';
import { cell, number } from './format.js';
import { empty, loading, problemBox } from './ui.js';

/** What the analysis says of a measurement, in the order of its working out. */
const FACTS = {
  formula: 'Sensitivity at distance k',
  elastic: 'Elastic',
  smooth: 'Smooth',
  mechanism: 'Mechanism',
  noiseScale: 'Scale of the noise',
  epsilon: 'ε',
  delta: 'δ',
};

function fact(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function words(value) {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (typeof value === 'object') return Object.entries(value).map(([k, v]) => `${k} ${words(v)}`).join(', ');
  return cell(value);
}

/** Lines that are indented by depth, as nested lists. */
export function tree(lines) {
  const root = h('ul', { class: 'rule-tree' });
  const open = [{ depth: -1, item: null, list: root }];
  for (const line of lines) {
    const depth = line.length - line.trimStart().length;
    while (open.at(-1).depth >= depth) open.pop();
    const parent = open.at(-1);
    if (parent.list === null) parent.item.append((parent.list = h('ul')));
    const item = h('li', {}, h('span', {}, line.trim()));
    parent.list.append(item);
    open.push({ depth, item, list: null });
  }
  return root;
}

function value(name, a) {
  if (name === 'elastic') return Object.entries(a.elastic ?? {}).map(([k, v]) => `${number(v)} at k = ${k}`).join(', ');
  if (name === 'smooth') return a.smooth ? `${number(a.smooth.value)} at distance ${a.smooth.distance}, β ${number(a.smooth.beta)}` : 'not needed: the scale is public';
  return words(a[name]);
}

function aggregate(a) {
  const name = [a.column ?? a.aggregate ?? '', a.part].filter(Boolean).join(', ');
  const known = Object.entries(FACTS).filter(([key]) => a[key] !== undefined);
  return h('section', { class: 'card pad' }, h('h2', {}, name || 'Measurement'),
    h('dl', { class: 'facts-line' }, known.map(([key, title]) => fact(title, value(key, a)))));
}

function shown([found, open]) {
  if (found.status !== 'accepted') return problemBox(found);
  return [
    h('p', { class: 'lead private' }, icon('lock'), 'Private: the values below come from the data.'),
    (found.aggregates ?? []).map(aggregate),
    h('section', { class: 'card pad' }, h('h2', {}, 'The rule at each operator'), tree(open.rules ?? []),
      (open.noise ?? []).map((n) => h('p', { class: 'muted small-text' }, 'Analysts see: ', h('code', {}, n.formula)))),
  ];
}

export default function explainPage(desk) {
  const frame = h('div', { class: 'editor' });
  const place = h('div', { class: 'stack' });
  const sql = editor(frame, { changed: () => {}, submit: run, label: 'SQL to explain' });
  sql.know(desk.schema);
  async function run() {
    if (sql.text().trim() === '') return;
    fill(place, loading('Analysing …'));
    try {
      const asked = { sql: sql.text(), database: desk.database };
      fill(place, shown(await Promise.all([api.analyze(asked), api.explain(asked)])));
    } catch (e) {
      fill(place, problemBox(e, run));
    }
  }
  fill(place, empty('Nothing explained yet', 'The analysis touches no data and charges nothing.'));
  const example = (desk.schema.examples ?? [])[0]?.sql;
  if (example) sql.write(example);
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'Explain'), h('p', { class: 'lead' }, 'The sensitivity of a question, with the private max frequencies behind it and the rule at each operator.'),
      h('section', { class: 'card', 'aria-label': 'Question' }, frame, h('div', { class: 'controls' }, h('span', { class: 'space' }), h('button', { class: 'primary', type: 'button', onclick: run }, 'Explain'))), place),
  };
}
