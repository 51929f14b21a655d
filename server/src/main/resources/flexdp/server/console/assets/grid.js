// A table of any length: only the rows in view are in the page.
import { h } from './dom.js';
import { cell, number } from './format.js';

const ROW = 34;
const SPARE = 12;
const PLAIN = 400;

/** Which columns hold numbers; they stand at the right. */
function numeric(answer, column) {
  return answer.rows.slice(0, 200).every((row) => row[column] === null || typeof row[column] === 'number');
}

function shown(answer, row, column, right) {
  const value = answer.rows[row][column];
  const bar = answer.intervals?.[row]?.[column];
  const text = value === null ? h('span', { class: 'null' }, 'NULL') : right && answer.columns[column].kind !== 'key' ? number(value) : cell(value);
  if (!bar) return h('td', { class: right ? 'right' : '' }, text);
  const interval = `95 % between ${number(bar.low)} and ${number(bar.high)}`;
  return h('td', { class: 'right', title: interval }, text, ' ', h('span', { class: 'plusminus' }, spread(value, bar)));
}

/** "± 30", or the two ends where they are not alike. */
export function spread(value, bar) {
  const down = value - bar.low;
  const up = bar.high - value;
  const even = Math.abs(down - up) <= 0.02 * Math.max(down, up, 1e-9);
  return even ? `± ${number((down + up) / 2)}` : `${number(bar.low)} … ${number(bar.high)}`;
}

function widths(answer) {
  return answer.columns.map((column, i) => {
    let most = column.name.length + 2;
    for (const row of answer.rows.slice(0, 200)) {
      most = Math.max(most, cell(row[i]).length + (answer.intervals?.[0]?.[i] ? 10 : 0));
    }
    return Math.min(40, Math.max(8, most));
  });
}

/** The answer as a table that scrolls. */
export function grid(answer) {
  const { columns, rows } = answer;
  const right = columns.map((_, i) => numeric(answer, i));
  const body = h('tbody');
  const table = h(
    'table',
    { class: 'grid', 'aria-rowcount': rows.length + 1, 'aria-label': 'The answer' },
    h('colgroup', {}, widths(answer).map((w) => {
      const col = h('col');
      col.style.width = `${w}ch`;
      return col;
    })),
    h('thead', {}, h('tr', { 'aria-rowindex': 1 }, columns.map((c, i) => h('th', { scope: 'col', class: right[i] ? 'right' : '' }, c.name)))),
    body,
  );
  const place = h('div', { class: 'grid-scroll', tabindex: 0, role: 'region', 'aria-label': `Answer, ${rows.length} rows` }, table);
  const row = (i) => h('tr', { 'aria-rowindex': i + 2, class: i % 2 ? 'odd' : '' }, columns.map((_, c) => shown(answer, i, c, right[c])));
  if (rows.length <= PLAIN) {
    body.append(...rows.map((_, i) => row(i)));
    return place;
  }
  const gap = () => h('tr', { class: 'gap', 'aria-hidden': 'true' }, h('td', { colspan: columns.length }));
  const above = gap();
  const below = gap();
  let first = -1;
  function draw() {
    const from = Math.max(0, Math.floor(place.scrollTop / ROW) - SPARE);
    if (from === first) return;
    first = from;
    const to = Math.min(rows.length, from + Math.ceil((place.clientHeight || 480) / ROW) + 2 * SPARE);
    above.firstChild.style.height = `${from * ROW}px`;
    below.firstChild.style.height = `${(rows.length - to) * ROW}px`;
    const seen = [];
    for (let i = from; i < to; i++) seen.push(row(i));
    body.replaceChildren(above, ...seen, below);
  }
  place.classList.add('long');
  place.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
  draw();
  return place;
}
