// Questions to try, as the server proposes them.
import { h } from './dom.js';
import { oneLine } from './format.js';

/** A list of them, or nothing. */
export function suggestions(schema, put) {
  const all = schema.examples ?? [];
  if (all.length === 0) return null;
  return h(
    'div',
    { class: 'try' },
    h('ul', { class: 'try-list' }, all.map((q) => h('li', {}, h('button', { type: 'button', class: 'try-item', onclick: () => put(q.sql) }, h('span', { class: 'try-title' }, q.title), h('code', {}, oneLine(q.sql)))))),
  );
}
