import * as api from './api.js';
import { h, icon } from './dom.js';
import { ago, cell, moment, number, plural } from './format.js';
import { ownersChart } from './owners-chart.js';
import { empty, load } from './ui.js';

/** Columns and sets of columns for which something was measured. */
function measured(t) {
  const columns = Object.entries(t.columns ?? {}).map(([name, m]) => ({ ...m, columns: [name] }));
  return [...columns, ...(t.keys ?? [])].filter((m) => m.maxFrequency !== undefined || m.range);
}

function line(m, released, shown) {
  return h('tr', {}, h('td', {}, h('code', {}, m.columns.join(', '))),
    h('td', { class: 'right' }, m.maxFrequency === undefined ? '' : number(m.maxFrequency)),
    shown && h('td', { class: 'right' }, released === undefined ? '' : number(released)),
    h('td', {}, m.range ? m.range.map(cell).join(' to ') : ''));
}

/** The noisy metrics that analysts may know, in the same shape as the private ones. */
function releasedOf(t, m) {
  const r = t.released ?? {};
  const found = m.columns.length === 1 ? r.columns?.[m.columns[0]] : (r.keys ?? []).find((k) => k.columns.join() === m.columns.join());
  return found?.maxFrequency;
}

function tableCard(t) {
  const rows = measured(t);
  const region = { class: 'scroll-x', tabindex: 0, role: 'region', 'aria-label': `Metrics of ${t.table}` };
  return h('section', { class: 'card' },
    h('div', { class: 'card-head' }, h('h2', {}, t.table), h('span', { class: `badge ${t.usable === false ? 'warn' : ''}` }, t.usable === false ? 'not usable' : t.freshness ?? 'usable'),
      h('span', { class: 'muted small-text' }, t.measuredAt ? ['Measured ', h('time', { datetime: t.measuredAt, title: moment(t.measuredAt) }, ago(t.measuredAt))] : 'Not measured',
        t.rows !== undefined && ` · ${plural(t.rows, 'row')}`, t.protected === false && ' · public')),
    rows.length === 0
      ? h('p', { class: 'muted pad' }, 'No column of it was measured.')
      : h('div', region, h('table', { class: 'plain small-text' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Columns'), h('th', { scope: 'col', class: 'right' }, 'Max frequency'), t.released && h('th', { scope: 'col', class: 'right' }, 'Released'), h('th', { scope: 'col' }, 'Seen now'))),
        h('tbody', {}, rows.map((m) => line(m, releasedOf(t, m), t.released !== undefined))))));
}

export default function metricsPage(desk) {
  const place = h('div', { class: 'stack' });
  load(place, () => api.metrics(desk.database), (found) => (found.tables ?? []).length === 0
    ? empty('Nothing is measured', 'Run flexdp collect; joins need to know how often a value occurs.')
    : found.tables.map(tableCard));
  const owners = ownersChart(desk.schema);
  return {
    element: h('main', { class: 'page' }, h('h1', {}, 'Metrics'),
      h('p', { class: 'lead private' }, icon('lock'), 'Private: these numbers come from the data. Show them to no analyst.'), place,
      owners && h('section', { class: 'card pad' }, h('h2', {}, 'Who owns what'), owners)),
  };
}
