// An answer: its numbers with their error bars, as figure, table or chart; what it cost.
import { chart, drawable } from './chart.js';
import { fill, h, icon } from './dom.js';
import { cell, cost, number, plural } from './format.js';
import { grid, spread } from './grid.js';
import { sentence } from './ui.js';

/** RFC 4180, with the ends of the error bars beside each noisy column; the answer at hand, so nothing is asked. */
export function csv(answer) {
  const bars = answer.columns.map((_, c) => answer.intervals?.some((row) => row[c]) ?? false);
  const quote = (v) => {
    const shown = v === null || v === undefined ? '' : cell(v);
    // What a spreadsheet would take for a formula is text.
    const text = /^[=+\-@\t\r]/.test(shown) && !/^[+-]?[0-9.]+([eE][+-]?[0-9]+)?$/.test(shown) ? `'${shown}` : shown;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const head = answer.columns.flatMap((c, i) => (bars[i] ? [c.name, `${c.name}_low`, `${c.name}_high`] : [c.name]));
  const lines = answer.rows.map((row, r) =>
    row.flatMap((v, c) => (bars[c] ? [v, answer.intervals[r][c]?.low, answer.intervals[r][c]?.high] : [v])));
  return [head, ...lines].map((line) => line.map(quote).join(',')).join('\r\n') + '\r\n';
}

function download(answer) {
  const url = URL.createObjectURL(new Blob([csv(answer)], { type: 'text/csv;charset=utf-8' }));
  h('a', { href: url, download: 'answer.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function badges(answer) {
  const free = answer.repeat;
  return h(
    'div',
    { class: 'badges' },
    free
      ? h('span', { class: 'badge good' }, icon('check'), 'Free: an answer given again')
      : answer.mechanism === 'none' && Number(answer.spent.epsilon) === 0
        ? h('span', { class: 'badge good' }, icon('check'), 'Free: public tables only')
      : h('span', { class: 'badge' }, `Cost ε ${cost(answer.spent.epsilon)}${Number(answer.spent.delta) > 0 ? `, δ ${cost(answer.spent.delta)}` : ''}`),
    answer.mechanism !== 'none' && h('span', { class: 'badge' }, `${answer.mechanism} noise`),
    h('span', { class: 'badge' }, plural(answer.rows.length, 'row')),
  );
}

/** One row: its numbers, large. */
function figures(answer) {
  return h(
    'dl',
    { class: 'figures' },
    answer.columns.map((column, i) => {
      const value = answer.rows[0][i];
      const bar = answer.intervals?.[0]?.[i];
      return h(
        'div',
        {},
        h('dt', {}, column.name),
        h('dd', {}, h('span', { class: 'figure-value' }, typeof value === 'number' ? number(value) : cell(value)),
          bar && h('span', { class: 'figure-error' }, spread(value, bar)),
          bar && h('span', { class: 'muted figure-range' }, `95 %: ${number(bar.low)} to ${number(bar.high)}`),
          !bar && column.kind !== 'key' && answer.mechanism !== 'none' && said(answer).length > 0 && h('span', { class: 'figure-range unsure' }, 'Without an error bar: read the note below.')),
      );
    }),
  );
}

const said = (answer) => (answer.notes ?? []).map((note) => (note.code === 'no-error-bar' ? `no error bar: ${note.text}` : note.text));

function notes(answer) {
  return said(answer).length === 0 ? null : h('ul', { class: 'notes' }, said(answer).map((text) => h('li', {}, sentence(text))));
}

function tab(name, label, sign, chosen, choose) {
  return h('button', { class: 'tab', type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(chosen), tabindex: chosen ? 0 : -1, onclick: () => choose(name) }, icon(sign), label);
}

/** Table and chart of an answer of several rows. */
function views(answer) {
  const { values, worth } = drawable(answer);
  const panel = h('div', { role: 'tabpanel', id: 'answer-panel' });
  if (!worth) return fill(panel, grid(answer));
  const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'How to show the answer' });
  let column = values[0];
  function choose(name, focus = true) {
    const names = ['chart', 'table'];
    fill(tabs, tab('chart', 'Chart', 'chart', name === 'chart', choose), tab('table', 'Table', 'table', name === 'table', choose));
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    if (name === 'table') fill(panel, grid(answer));
    else fill(panel, values.length > 1 && picker(), chart(answer, column));
    if (focus) tabs.children[names.indexOf(name)].focus();
  }
  function picker() {
    const select = h('select', { 'aria-label': 'Column to draw', onchange: () => {
      column = Number(select.value);
      choose('chart', false);
    } }, values.map((v) => h('option', { value: v, selected: v === column }, answer.columns[v].name)));
    return h('div', { class: 'picker' }, 'Column ', select);
  }
  tabs.addEventListener('keydown', (e) => {
    if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') choose(tabs.querySelector('[aria-selected=true]').id === 'tab-chart' ? 'table' : 'chart');
  });
  choose(answer.rows.length > 400 ? 'table' : 'chart', false);
  return [tabs, panel];
}

/** The whole answer. */
export function answerView(answer) {
  const single = answer.rows.length === 1 && answer.columns.length <= 6;
  const body = answer.rows.length === 0
    ? h('p', { class: 'muted pad' }, 'The answer has no rows.')
    : single ? figures(answer) : views(answer);
  return [
    h(
      'div',
      { class: 'card-head' },
      h('h2', { tabindex: -1, class: 'answer-title' }, 'Answer'),
      badges(answer),
      h('button', { class: 'quiet small', type: 'button', onclick: () => download(answer) }, icon('download'), 'CSV'),
    ),
    body,
    notes(answer),
  ];
}
