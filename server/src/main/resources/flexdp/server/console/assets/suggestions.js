// Questions to try: the owner's own, or some that the policy allows.
import { h } from './dom.js';
import { oneLine } from './format.js';

/** Simple questions that any policy with such columns accepts. */
export function made(schema) {
  const found = [];
  for (const table of schema.tables.filter((t) => t.protected).slice(0, 3)) {
    const labelled = table.columns.find((c) => (c.labels ?? []).length > 1);
    const bounded = table.columns.find((c) => c.range && /int|dec|num|double|real|float/i.test(c.type) && !c.unique);
    const name = quoted(table.name);
    if (labelled) found.push({ title: `${table.name} by ${labelled.name}`, sql: `SELECT ${quoted(labelled.name)}, COUNT(*) AS n\nFROM ${name}\nGROUP BY ${quoted(labelled.name)}\nORDER BY n DESC` });
    else found.push({ title: `How many ${table.name}?`, sql: `SELECT COUNT(*) AS n\nFROM ${name}` });
    if (bounded) found.push({ title: `Average ${bounded.name} of ${table.name}`, sql: `SELECT AVG(${quoted(bounded.name)}) AS average\nFROM ${name}` });
  }
  return found.slice(0, 6);
}

function quoted(name) {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A list of them, or nothing. */
export function suggestions(schema, put) {
  const all = (schema.examples ?? []).length > 0 ? schema.examples : made(schema);
  if (all.length === 0) return null;
  return h(
    'div',
    { class: 'try' },
    h('div', { class: 'card-head' }, h('h2', {}, 'Questions to try')),
    h('ul', { class: 'try-list' }, all.map((q) => h('li', {}, h('button', { type: 'button', class: 'try-item', onclick: () => put(q.sql) }, h('span', { class: 'try-title' }, q.title), h('code', {}, oneLine(q.sql)))))),
  );
}
