import * as api from './api.js';
import { h, icon } from './dom.js';
import { ago, cost, moment, number } from './format.js';
import { ownersChart } from './owners-chart.js';
import { empty, load } from './ui.js';

function frequencies(t) {
  const all = t.maxFrequencies ?? [];
  if (all.length === 0) return null;
  return h('table', { class: 'plain small-text' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Columns'), h('th', { scope: 'col', class: 'right' }, 'Max frequency'), h('th', { scope: 'col', class: 'right' }, 'with NULL'))),
    h('tbody', {}, all.map((m) => h('tr', {}, h('td', {}, h('code', {}, m.columns.join(', '))), h('td', { class: 'right' }, number(m.value)), h('td', { class: 'right' }, m.withNull === undefined || m.withNull === null ? '' : number(m.withNull))))));
}

function tableCard(t) {
  const released = t.released ?? [];
  return h('li', { class: 'account card' },
    h('div', { class: 'account-head' }, h('h2', {}, t.table), h('span', { class: `badge ${t.usable === false ? 'warn' : ''}` }, t.usable === false ? 'not usable' : t.changing ? 'changing' : 'usable')),
    h('p', {}, t.measured ? ['Measured ', h('time', { datetime: t.measured, title: moment(t.measured) }, ago(t.measured))] : 'Not measured', t.rows !== undefined && t.rows !== null && h('span', { class: 'muted' }, ` · ${number(t.rows)} rows`)),
    t.note && h('p', { class: 'muted small-text' }, t.note),
    frequencies(t),
    released.length > 0 && h('p', { class: 'muted small-text' }, 'Released: ', released.map((r) => `${r.columns.join(', ')} (ε ${cost(r.epsilon)})`).join('; ')));
}

export default function metricsPage(desk) {
  const place = h('div', { class: 'stack' });
  load(place, () => api.metrics(desk.database), (found) => (found.tables ?? []).length === 0
    ? empty('Nothing is measured', 'Run flexdp collect; joins need to know how often a value occurs.')
    : [found.state && h('p', { class: 'note' }, found.state), h('ul', { class: 'accounts' }, found.tables.map(tableCard))]);
  const owners = ownersChart(desk.schema);
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'Metrics'),
      h('p', { class: 'lead private' }, icon('lock'), 'Private: these numbers come from the data. Show them to no analyst.'), place,
      owners && h('section', { class: 'card pad' }, h('h2', {}, 'Who owns what'), owners)),
  };
}
