// Who owns the rows of which table, where the policy protects people.
import { h, s } from './dom.js';

const ROW = 44;
const WIDTH = 560;

function box(x, y, width, text, kind) {
  return s('g', {}, s('rect', { class: `node ${kind}`, x, y: y - 15, width, height: 30, rx: kind === 'person' ? 15 : 6 }), s('text', { x: x + width / 2, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, text));
}

/** The drawing, or nothing when rows are protected one by one. */
export function ownersChart(schema) {
  const tables = schema.tables.filter((t) => t.protected && (t.people ?? []).length > 0);
  if (tables.length === 0) return null;
  const people = [...new Set(tables.flatMap((t) => t.people))];
  const height = Math.max(people.length, tables.length) * ROW + 10;
  const y = (i, count) => ((i + 0.5) * height) / count;
  const lines = tables.flatMap((t, i) => t.people.map((p) => {
    const [a, b] = [y(people.indexOf(p), people.length), y(i, tables.length)];
    return s('path', { class: 'edge', d: `M190 ${a}C290 ${a} 270 ${b} 370 ${b}` });
  }));
  const words = tables.map((t) => `${t.name} belongs to ${t.people.join(' and ')}`).join('; ');
  return h('div', { class: 'scroll-x' }, s('svg', { class: 'owners', viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: 'img', 'aria-label': `Who owns what: ${words}.` },
    lines, people.map((p, i) => box(10, y(i, people.length), 180, p, 'person')), tables.map((t, i) => box(370, y(i, tables.length), 180, t.name, 'table'))));
}
