// Charts with error bars, as SVG with words for whoever cannot see it. The table has every value.
import { fill, h, s } from './dom.js';
import { cell, number, tick } from './format.js';
import { spread } from './grid.js';

const MOST_BARS = 60;
const MOST_POINTS = 2000;
const ROW = 30;

/** What can be drawn of an answer: the label columns and the columns of numbers. */
export function drawable(answer) {
  const keys = [];
  const values = [];
  answer.columns.forEach((column, i) => {
    if (column.kind === 'key') keys.push(i);
    else if (answer.rows.some((row) => typeof row[i] === 'number')) values.push(i);
  });
  return { keys, values, worth: values.length > 0 && answer.rows.length > 1 };
}

function entries(answer, keys, value) {
  return answer.rows
    .map((row, i) => ({
      label: keys.map((k) => cell(row[k])).join(' · ') || `row ${i + 1}`,
      key: keys.length === 1 ? row[keys[0]] : null,
      value: row[value],
      bar: answer.intervals?.[i]?.[value] ?? null,
    }))
    .filter((entry) => typeof entry.value === 'number');
}

/** Round steps that cover a range. */
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((f) => f * power).find((size) => size >= rough * 0.7) ?? power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

function extent(data, zero) {
  let low = zero ? 0 : Infinity;
  let high = zero ? 0 : -Infinity;
  for (const d of data) {
    low = Math.min(low, d.value, d.bar?.low ?? d.value);
    high = Math.max(high, d.value, d.bar?.high ?? d.value);
  }
  return low === high ? [low - 1, high + 1] : [low, high];
}

function described(d) {
  return `${d.label}: ${number(d.value)}${d.bar ? `, 95 % between ${number(d.bar.low)} and ${number(d.bar.high)}` : ''}`;
}

function summary(data, name) {
  const most = data.reduce((a, b) => (b.value > a.value ? b : a));
  const least = data.reduce((a, b) => (b.value < a.value ? b : a));
  return `${name} for ${data.length} labels. Highest, ${described(most)}. Lowest, ${described(least)}.`;
}

const measure = document.createElement('canvas').getContext('2d');
function textWidth(text) {
  measure.font = '13px Inter, system-ui, sans-serif';
  return measure.measureText(text).width;
}

function shortened(text, width) {
  if (textWidth(text) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`) > width) end--;
  return `${text.slice(0, end)}…`;
}

function canvas(width, height, title, text, ...parts) {
  const id = `chart-${Math.random().toString(36).slice(2)}`;
  return s(
    'svg',
    { class: 'chart', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-labelledby': `${id}-t ${id}-d` },
    s('title', { id: `${id}-t` }, title),
    s('desc', { id: `${id}-d` }, text),
    ...parts,
  );
}

function bars(all, width, name, title) {
  const data = all.slice(0, MOST_BARS);
  const labels = Math.min(width * 0.34, 12 + Math.max(...data.map((d) => textWidth(d.label))));
  const ends = data.map((d) => `${number(d.value)}${d.bar ? ` ${spread(d.value, d.bar)}` : ''}`);
  const values = Math.min(width * 0.34, 22 + 1.06 * Math.max(...ends.map(textWidth)));
  const [low, high] = extent(data, true);
  const left = labels + 6;
  const right = Math.max(left + 40, width - values);
  const x = (v) => left + ((v - low) / (high - low)) * (right - left);
  const height = data.length * ROW + 30;
  const marks = ticks(low, high, Math.max(2, (right - left) / 90));
  return canvas(
    width, height, title, summary(data, name),
    marks.map((m) => s('g', { class: 'axis' }, s('line', { class: m === 0 ? 'zero' : '', x1: x(m), x2: x(m), y1: 0, y2: height - 26 }),
      s('text', { x: x(m), y: height - 8, 'text-anchor': 'middle' }, tick(m)))),
    data.map((d, i) => {
      const middle = i * ROW + ROW / 2;
      return s('g', { class: 'entry' }, s('title', {}, described(d)),
        s('rect', { class: 'hit', x: 0, y: i * ROW, width, height: ROW }),
        s('text', { class: 'label', x: labels, y: middle, 'text-anchor': 'end', 'dominant-baseline': 'central' }, shortened(d.label, labels - 8)),
        s('rect', { class: 'bar', x: Math.min(x(0), x(d.value)), y: middle - 8, width: Math.max(1, Math.abs(x(d.value) - x(0))), height: 16, rx: 3 }),
        d.bar && whisker(x(d.bar.low), x(d.bar.high), middle),
        s('text', { class: 'value', x: right + 10, y: middle, 'dominant-baseline': 'central' }, shortened(ends[i], values - 12)));
    }),
  );
}

function whisker(from, to, y) {
  return s('path', { class: 'whisker', d: `M${from} ${y}H${to}M${from} ${y - 5}v10M${to} ${y - 5}v10` });
}

const DAY = 86_400_000;
const FEW = 24;

/** A date or time as milliseconds; null for what is none. 2024, 2024-03, 2024-Q2 and 2024-W07 are the first moments of theirs. */
function moment(key) {
  if (typeof key !== 'string') return null;
  const quarter = /^(\d{4})-?Q([1-4])$/.exec(key);
  if (quarter) return Date.UTC(Number(quarter[1]), 3 * (Number(quarter[2]) - 1), 1);
  const week = /^(\d{4})-?W(\d\d)$/.exec(key);
  if (week) {
    const fourth = Date.UTC(Number(week[1]), 0, 4);
    return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY + (Number(week[2]) - 1) * 7 * DAY;
  }
  if (/^\d{4}-\d\d$/.test(key)) return Date.parse(`${key}-01`);
  if (!/^\d{4}-\d\d-\d\d/.test(key)) return null;
  const at = Date.parse(key.length > 10 ? `${key.replace(' ', 'T')}Z` : key);
  return Number.isNaN(at) ? null : at;
}

/** What times are the first moments of: the longest of these that fits all. */
function unitOf(at) {
  const dates = at.map((t) => new Date(t));
  if (at.some((t) => t % DAY !== 0)) return 'time';
  if (dates.every((d) => d.getUTCDate() === 1)) {
    if (dates.every((d) => d.getUTCMonth() === 0)) return 'year';
    return dates.every((d) => d.getUTCMonth() % 3 === 0) && at.length > 4 ? 'quarter' : 'month';
  }
  return at.length > 2 && at.every((t) => (t - at[0]) % (7 * DAY) === 0) ? 'week' : 'day';
}

const words = {
  year: (d) => String(d.getUTCFullYear()),
  quarter: (d) => `Q${d.getUTCMonth() / 3 + 1} ${d.getUTCFullYear()}`,
  month: (d) => d.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  week: (d) => d.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  day: (d) => d.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  time: (d) => d.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
};

/** Labels that lie on a line: dates, times and numbers. A row without one has no place on it, and stands in the table. */
export function positions(all) {
  const data = all.filter((d) => d.key !== null);
  if (data.length < 4 || data.length > MOST_POINTS || all.length - data.length > 1) return null;
  const numbers = data.every((d) => typeof d.key === 'number');
  const at = numbers ? data.map((d) => d.key) : data.map((d) => moment(d.key));
  if (at.some((t) => t === null || Number.isNaN(t)) || new Set(at).size < at.length) return null;
  const points = data.map((d, i) => ({ ...d, at: at[i] })).sort((a, b) => a.at - b.at);
  const unit = numbers ? null : unitOf(points.map((d) => d.at));
  const word = unit ? (d) => words[unit](new Date(d.at)) : (d) => tick(d.at);
  return { points: points.map((d) => ({ ...d, label: unit ? word(d) : d.label })), unit, word, left: all.length - data.length };
}

/** Over time: columns while these are few, a line with a band for the error bars where they are many. */
function line({ points: data, unit, word }, width, name, title) {
  const reach = extent(data, true);
  const step = ticks(...reach, 5)[1] - ticks(...reach, 5)[0];
  const [low, high] = [Math.floor(reach[0] / step) * step, Math.ceil(reach[1] / step) * step];
  const marks = ticks(low, high, (high - low) / step);
  const left = 14 + Math.max(...marks.map((m) => textWidth(tick(m))));
  const [first, last] = [data[0].at, data.at(-1).at];
  const height = 300;
  const columns = unit !== null && unit !== 'time' && data.length <= FEW;
  const half = Math.max(20, textWidth(word(data.at(-1))) / 2, columns ? (width - left) / data.length / 2 : 0);
  const x = (v) => left + 12 + (columns ? half - 12 : 0) + ((v - first) / (last - first)) * (width - left - 12 - half - (columns ? half - 12 : 0));
  const y = (v) => 12 + ((high - v) / (high - low)) * (height - 52);
  const wide = Math.max(2, Math.min(46, 0.62 * Math.min(...data.slice(1).map((d, i) => x(d.at) - x(data[i].at)))));
  const few = Math.max(1, Math.ceil(data.length / Math.max(2, Math.floor((width - left) / (26 + Math.max(...data.map((d) => textWidth(word(d)))))))));
  const barred = data.filter((d) => d.bar);
  const banded = !columns && barred.length === data.length && data.length > 1;
  const band = () => `M${data.map((d) => `${x(d.at)} ${y(d.bar.high)}`).join('L')}L${data.toReversed().map((d) => `${x(d.at)} ${y(d.bar.low)}`).join('L')}Z`;
  return canvas(
    width, height, title, summary(data, name),
    marks.map((m) => s('g', { class: 'axis' }, s('line', { class: m === 0 ? 'zero' : '', x1: left, x2: width - 8, y1: y(m), y2: y(m) }),
      s('text', { x: left - 8, y: y(m), 'text-anchor': 'end', 'dominant-baseline': 'central' }, tick(m)))),
    data.map((d, i) => i % few === 0 && s('text', { class: 'axis-label', x: x(d.at), y: height - 12, 'text-anchor': 'middle' }, word(d))),
    banded && s('path', { class: 'band', d: band() }),
    !columns && s('path', { class: 'line', d: data.map((d, i) => `${i ? 'L' : 'M'}${x(d.at)} ${y(d.value)}`).join('') }),
    data.map((d) => s('g', { class: 'entry' }, s('title', {}, described(d)),
      columns && s('rect', { class: 'bar', x: x(d.at) - wide / 2, y: Math.min(y(0), y(d.value)), width: wide, height: Math.max(1, Math.abs(y(d.value) - y(0))), rx: 3 }),
      d.bar && !banded && s('path', { class: 'whisker', d: `M${x(d.at)} ${y(d.bar.low)}V${y(d.bar.high)}M${x(d.at) - 4} ${y(d.bar.low)}h8M${x(d.at) - 4} ${y(d.bar.high)}h8` }),
      !columns && s('circle', { class: 'dot', cx: x(d.at), cy: y(d.value), r: data.length > 80 ? 2 : 4 }))),
  );
}

/** The chart of one column; it is drawn anew when there is more or less room. */
export function chart(answer, column) {
  const { keys } = drawable(answer);
  const name = answer.columns[column].name;
  const data = entries(answer, keys, column);
  const by = keys.map((k) => answer.columns[k].name).join(', ');
  const place = h('div', { class: 'chart-place' });
  const where = positions(data);
  const unit = where?.unit && where.unit !== 'time' && where.unit !== by ? ` (${where.unit}s)` : '';
  const title = by ? `${name} by ${by}${unit}` : name;
  let width = 0;
  const watch = new ResizeObserver(() => {
    const now = Math.floor(place.clientWidth);
    if (now < 40 || now === width) return;
    width = now;
    fill(place, where ? line(where, now, name, title) : bars(data, now, name, title));
  });
  watch.observe(place);
  const bars95 = data.some((d) => d.bar);
  const notes = [
    bars95 ? `${where && where.points.every((d) => d.bar) && (!where.unit || where.unit === 'time' || where.points.length > FEW) ? 'Band' : 'Bars'}: where the value without noise lies, with 95 % probability.` : 'No error bars: the scale of this noise is private.',
    where?.left > 0 && 'A row without a date is in the table only.'.replace('a date', where.unit ? 'a date' : 'a number'),
    !where && data.length > MOST_BARS && `The first ${MOST_BARS} of ${data.length} rows; the table has all.`,
  ];
  return h('figure', { class: 'figure' }, h('figcaption', {}, h('strong', {}, title), ' ', h('span', { class: 'muted' }, notes.filter(Boolean).join(' '))), place);
}
